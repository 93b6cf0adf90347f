import { type Operation, problemsOf } from '../contract/define-operation.ts'
import type { JsonSchema } from '../contract/json-schema.ts'
import { type ProblemCode, problems } from '../contract/problems.ts'
import type { Kind } from '../kinds/index.ts'
import { labels } from './labels.ts'
import { argumentsSchema, idempotencyArgument, resultSchema } from './schemas.ts'
import { inWordsOf } from './site-words.ts'
import { type ToolEntry, toolEntries } from './tools.ts'

/** A tool of one site, as a client is told of it. */
export type Tool = {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations: ToolEntry['hints'] & { title: string }
  _meta?: Record<string, unknown>
}

/** A tool with what it takes to call it. */
export type CallableTool = { tool: Tool; entry: ToolEntry; operation: Operation; hasUserText: boolean }

/** Every tool of the site of one kind, in the order of the table. */
export function toolsOf(kind: Kind, operations: readonly Operation[]): readonly CallableTool[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const inToolWords = translator(kind, operations)
  return toolEntries.map((entry) => {
    const operation = byId.get(entry.operation)
    if (!operation) throw new Error(`The tool ${entry.name} calls ${entry.operation}, which is no operation.`)
    return describe({ kind, inToolWords }, entry, operation)
  })
}

type Words = { kind: Kind; inToolWords: (text: string) => string }

function describe(words: Words, entry: ToolEntry, operation: Operation): CallableTool {
  const { kind } = words
  const title = inWordsOf(kind, entry.title)
  const output = resultSchema(operation, isTrial(operation, entry))
  const hasUserText = output !== undefined && names(output, 'content_trust')
  const tool: Tool = {
    name: toolName(entry, kind),
    title,
    description: description(words, entry, operation),
    inputSchema: argumentsSchema(operation, entry),
    ...(output && { outputSchema: output }),
    // Older clients look for the title here.
    annotations: { title, ...entry.hints },
    ...(hasUserText && { _meta: labels.tool }),
  }
  return { tool, entry, operation, hasUserText }
}

export const toolName = ({ name }: ToolEntry, kind: Kind): string => inWordsOf(kind, name)

const isTrial = ({ changesNothingWith }: Operation, { fixed }: ToolEntry): boolean =>
  changesNothingWith !== undefined && fixed?.query?.[changesNothingWith] === 'true'

/** Whether the schema has a member of this name, at any depth. */
function names(schema: unknown, member: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(([name, inner]) => name === member || names(inner, member))
}

/** What a model reads before it calls: what happens, what it costs, whether it can be undone, what to do when it fails. */
function description({ kind, inToolWords }: Words, entry: ToolEntry, operation: Operation): string {
  const sentences = [
    entry.does,
    entry.costs(kind),
    entry.undo,
    operation.access === 'key' ? 'Needs the API key.' : 'Needs no key.',
  ]
  const text = inWordsOf(kind, sentences.filter(Boolean).join(' '))
  const likely = likelyProblems(operation)
  if (likely.length === 0) return text
  const remedies = likely.map((code) => `- ${code}: ${inToolWords(problems[code].remedy)}`)
  return [text, '', 'Problems, and what to do:', ...remedies].join('\n')
}

/** What any call may meet is in the server's instructions; here is what this one is likely to. */
function likelyProblems(operation: Operation): ProblemCode[] {
  const anywhere: readonly ProblemCode[] = [
    'malformed_request',
    'unknown_site',
    'not_acceptable',
    'invalid_api_key',
    'platform_busy',
    'internal_error',
    'unavailable',
    'body_too_large',
    'unsupported_media_type',
    'malformed_json',
  ]
  const takesQuery = operation.query !== undefined
  return problemsOf(operation).filter(
    (code) => !anywhere.includes(code) && (code !== 'invalid_query' || (takesQuery && !operation.body)),
  )
}

/** The catalog speaks to callers over HTTP; here operations are tools, and headers are arguments or members. */
function translator(kind: Kind, operations: readonly Operation[]): (text: string) => string {
  const toolsByCall = new Map(
    operations.flatMap(({ id, method, path }) => {
      const entry = toolEntries.find(({ operation }) => operation === id)
      return entry ? [[`${method} ${path}`, toolName(entry, kind)]] : []
    }),
  )
  return (text) =>
    text
      .replaceAll(/\b(?:GET|POST|PATCH|DELETE) \/v1\/[a-z_/{}]+/g, (call) => toolsByCall.get(call) ?? call)
      .replaceAll('/v1/policy', 'get_policy')
      .replaceAll('dry_run=true', `check_${kind.name}`)
      .replaceAll('Idempotency-Key', idempotencyArgument)
      .replaceAll('Retry-After', 'retry_after_seconds')
}
