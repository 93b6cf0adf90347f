import { type Operation, problemsOf } from '../../contract/define-operation.ts'
import type { JsonSchema } from '../../contract/generators/json-schema.ts'
import type { ProblemCode } from '../../contract/problems/problems.ts'
import type { Kind } from '../../kinds/index.ts'
import { metAnywhere } from '../instructions.ts'
import { argumentsSchema, resultSchema } from './schemas.ts'
import { inWordsOf, type ToolWords, toolWords } from './tool-text.ts'
import { entriesOf, type ToolEntry } from './tools.ts'
import { labels } from './trust-labels.ts'

/** A tool on one site, as clients see it. */
type Tool = {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations: ToolEntry['hints'] & { title: string }
  _meta?: Record<string, unknown>
}

/** A tool with everything needed to call it. */
export type CallableTool = { tool: Tool; entry: ToolEntry; operation: Operation; hasUserText: boolean }

/** Every tool on the site for one kind, in the order of `toolEntries`. */
export function toolsOf(kind: Kind, operations: readonly Operation[]): readonly CallableTool[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const words = toolWords(kind, operations)
  return entriesOf(kind).map((entry) => {
    const operation = byId.get(entry.operation)
    if (!operation) throw new Error(`The tool ${entry.name} calls ${entry.operation}, which is not an operation.`)
    return describe({ kind, words }, entry, operation)
  })
}

type Site = { kind: Kind; words: ToolWords }

function describe(site: Site, entry: ToolEntry, operation: Operation): CallableTool {
  const { kind, words } = site
  const title = inWordsOf(kind, entry.title)
  const output = resultSchema(operation, isTrial(operation, entry))
  const hasUserText = output !== undefined && names(output, 'content_trust')
  const tool: Tool = {
    name: toolName(entry, kind),
    title,
    description: description(site, entry, operation),
    inputSchema: argumentsSchema(operation, entry, words.translate),
    ...(output && { outputSchema: output }),
    // Older clients look for the title here.
    annotations: { title, ...entry.hints },
    ...((hasUserText || entry.quotesAbuse) && { _meta: labels.tool }),
  }
  return { tool, entry, operation, hasUserText }
}

export const toolName = ({ name }: ToolEntry, kind: Kind): string => inWordsOf(kind, name)

const isTrial = ({ changesNothingWith }: Operation, { fixed }: ToolEntry): boolean =>
  changesNothingWith !== undefined && fixed?.query?.[changesNothingWith] === 'true'

/** Whether the schema has a property with this name, at any depth. */
function names(schema: unknown, member: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(([name, inner]) => name === member || names(inner, member))
}

/** The text that a model reads before a call: effect, cost, whether it can be undone, and what to do on errors. */
function description({ kind, words }: Site, entry: ToolEntry, operation: Operation): string {
  const sentences = [
    entry.does,
    entry.costs(kind),
    entry.undo,
    operation.access === 'key' ? 'Needs the API key.' : 'Needs no key.',
  ]
  const text = inWordsOf(kind, sentences.filter(Boolean).join(' '))
  const likely = likelyProblems(operation, entry)
  if (likely.length === 0) return text
  const remedies = likely.map((code) => `- ${code}: ${words.remedy(code)}`)
  return [text, 'Problems, and what to do:', ...remedies].join('\n')
}

/** The tool's problems, except those that any tool can return. */
const likelyProblems = (operation: Operation, { cannotMeet = [] }: ToolEntry): ProblemCode[] =>
  problemsOf(operation).filter((code) => !metAnywhere.includes(code) && !cannotMeet.includes(code))
