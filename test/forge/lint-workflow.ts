import { registerHooks } from 'node:module'
import type { ValidationConfig } from '@actions/languageservice'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { actionInputs } from './action-inputs.ts'

// The package imports its JSON as bundlers do, without the attribute that Node wants.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { validate } = await import('@actions/languageservice')
hooks.deregister()

const config: ValidationConfig = {
  actionsMetadataProvider: {
    fetchActionMetadata: async ({ owner, name, path }) => {
      const inputs = actionInputs[[owner, name, ...(path ? [path] : [])].join('/')]
      if (!inputs) return undefined
      return { name, description: '', inputs: Object.fromEntries(inputs.map((input) => [input, { description: '' }])) }
    },
  },
}

/** The parser remembers a file by its address. */
let files = 0

/** What GitHub's own parser finds wrong with a workflow or an action: syntax, jobs, contexts, expressions and inputs. */
export async function lintWorkflow(path: string, text: string): Promise<string[]> {
  const found = await validate(TextDocument.create(`file:///${++files}/${path}`, 'yaml', 1, text), config)
  return found.map(({ range, message }) => `${path}:${range.start.line + 1} ${message}`)
}
