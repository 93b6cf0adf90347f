import { readFileSync } from 'node:fs'
import type { Operation } from '../contract/define-operation.ts'
import { type ProblemCode, problems } from '../contract/problems/problems.ts'
import { operationsOf } from '../operations.ts'
import type { DocumentedSite } from './deployment.ts'
import { documentSite } from './pages/document-site.ts'
import { curl } from './pages/examples/curl.ts'
import { commonFacts, fill, type TextFacts } from './pages/fill.ts'

/** A text for agents, with every `{{name}}` replaced by the site's value. */
export function agentText(name: string, site: DocumentedSite, facts: TextFacts): string {
  const text = readFileSync(new URL(`texts/${name}`, import.meta.url), 'utf8')
  return fill(text, { ...commonFacts(documentSite(site.kind, site.deployment)), ...facts })
}

export const curlToCreateAccount = (site: DocumentedSite): string =>
  curl({
    method: 'POST',
    url: `${site.baseUrl}/v1/accounts`,
    body: agentOperation(site, 'createAccount').examples.body,
  })

export function agentOperation({ kind }: DocumentedSite, id: string): Operation {
  const operation = operationsOf(kind).find((each) => each.id === id)
  if (!operation) throw new Error(`No operation has the id ${id}.`)
  return operation
}

/** The problem as an item in a Markdown list. */
export const describeProblem = (code: ProblemCode): string =>
  `- ${problems[code].status} \`${code}\`: ${problems[code].meaning} ${problems[code].remedy}`
