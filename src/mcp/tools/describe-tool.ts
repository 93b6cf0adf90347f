import assert from 'node:assert/strict'
import { answersNothing, type Operation, problemsOf } from '../../contract/define-operation.ts'
import { type JsonSchema, outputSchema } from '../../contract/generators/json-schema.ts'
import type { Kind } from '../../kinds/index.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { argumentsSchema, typesAlone } from './schemas.ts'
import type { ToolEntry } from './tool-entry.ts'
import {
  commonWords,
  inWordsOf,
  likelyProblems,
  type ServerWords,
  siteWordsOf,
  type ToolWords,
  toolWords,
} from './tool-text.ts'
import { entriesOf } from './tools.ts'
import { labels } from './trust-labels.ts'

/** A tool of one server, as clients see it. It has no output schema: see decisions/0080. */
type Tool = {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  annotations: Partial<ToolEntry['hints']>
  _meta?: Record<string, unknown>
}

/** How a call of the server for all sites finds its site: the argument that tells, and the operation of each kind. */
export type SiteChoice = { by: NonNullable<ToolEntry['siteBy']>; operations: ReadonlyMap<string, Operation> }

/** A tool with everything needed to call it. */
export type CallableTool = {
  tool: Tool
  entry: ToolEntry
  /** The operation that it calls; if there is a choice, the operation of the first kind that has it. */
  operation: Operation
  choice?: SiteChoice
  hasUserText: boolean
}

type ToolSite = { kind: Kind; operations: readonly Operation[] }

/** Every tool on the site for one kind, in the order of `toolEntries`. */
export const toolsOf = (kind: Kind, operations: readonly Operation[]): readonly CallableTool[] =>
  toolsOfServer({ words: siteWordsOf(kind), sites: [{ kind, operations }], isCommon: false })

/** Every tool of the server for all sites. Where the site matters, an argument tells it. */
export const commonTools = (sites: readonly ToolSite[]): readonly CallableTool[] =>
  toolsOfServer({ words: commonWords, sites, isCommon: true })

type ToolServer = { words: ServerWords; sites: readonly ToolSite[]; isCommon: boolean }

function toolsOfServer(server: ToolServer): readonly CallableTool[] {
  const texts = toolWords(
    server.words,
    server.sites.flatMap(({ operations }) => operations),
  )
  return entriesOf(server.sites.map(({ kind }) => kind))
    .filter(({ onlyOnSites }) => !(onlyOnSites && server.isCommon))
    .map((entry) => describe(server, texts, entry))
}

/** A tool's operation on the site of one kind. */
type Variant = { kind: Kind; operation: Operation }

function describe(server: ToolServer, texts: ToolWords, entry: ToolEntry): CallableTool {
  const { words, isCommon } = server
  const variants = variantsOf(server, entry)
  const [first] = variants
  assert(first, `The tool ${entry.name} calls ${entry.operation}, which is not an operation.`)
  const by = isCommon ? entry.siteBy : undefined
  const hasUserText = variants.some(({ operation }) => returnsUserText(operation, entry))
  const tool: Tool = {
    name: toolName(entry, words),
    title: inWordsOf(words, entry.title),
    description: description(words, entry, variants),
    inputSchema: inputOf(by ? variants : [first], { entry, texts, takesKind: by === 'kind' }),
    annotations: annotationsOf(entry.hints),
    ...((hasUserText || entry.quotesAbuse) && { _meta: labels.tool }),
  }
  const operations = new Map(variants.map(({ kind, operation }) => [kind.name, operation]))
  return { tool, entry, operation: first.operation, ...(by && { choice: { by, operations } }), hasUserText }
}

const variantsOf = ({ sites }: ToolServer, entry: ToolEntry): Variant[] =>
  sites.flatMap(({ kind, operations }) => {
    const operation = operations.find(({ id }) => id === entry.operation)
    return operation ? [{ kind, operation }] : []
  })

export const toolName = ({ name }: ToolEntry, words: ServerWords): string => inWordsOf(words, name)

type Input = { entry: ToolEntry; texts: ToolWords; takesKind: boolean }

function inputOf(variants: readonly Variant[], { entry, texts, takesKind }: Input): JsonSchema {
  const merged = mergeSchemas(
    variants.map(({ kind, operation }) => ({
      kind: kind.name,
      schema: argumentsSchema(operation, entry, texts.translate),
    })),
  )
  const input = entry.fieldsAsIn ? typesAlone(merged, Object.keys(variants[0]?.operation.params?.shape ?? {})) : merged
  if (!takesKind) return input
  const { type, properties, required = [] } = input
  const kind = { type: 'string', enum: variants.map((one) => one.kind.name) }
  return { type, properties: { kind, ...(properties as object) }, required: ['kind', ...(required as string[])] }
}

/** Without what the protocol assumes anyway: a tool that only reads is neither destructive nor unsafe to repeat. */
function annotationsOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolEntry['hints']) {
  if (readOnlyHint) return { readOnlyHint, openWorldHint }
  return { readOnlyHint, destructiveHint, ...(idempotentHint && { idempotentHint }), openWorldHint }
}

function returnsUserText(operation: Operation, entry: ToolEntry): boolean {
  if (answersNothing(operation)) return false
  const output = (isTrial(operation, entry) && operation.trialAnswer?.output) || operation.output
  return names(outputSchema(output), 'content_trust')
}

const isTrial = ({ changesNothingWith }: Operation, { fixed }: ToolEntry): boolean =>
  changesNothingWith !== undefined && fixed?.query?.[changesNothingWith] === 'true'

/** Whether the schema has a property with this name, at any depth. */
function names(schema: unknown, member: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(([name, inner]) => name === member || names(inner, member))
}

/** The text that a model reads before a call: effect, cost, whether it can be undone, and what to do on errors. */
function description(words: ServerWords, entry: ToolEntry, variants: readonly Variant[]): string {
  const { operation } = variants[0] as Variant
  const problems = problemsOf(operation).flatMap((code) => {
    const remedy = entry.cannotMeet?.includes(code) ? undefined : likelyProblems[code]
    return remedy ? [`${code} (${remedy})`] : []
  })
  const sentences = [
    entry.does,
    entry.costs(variants.map(({ kind }) => kind)),
    entry.undo,
    operation.access === 'key' && 'Needs the key.',
    problems.length > 0 && `Likely errors: ${problems.join(', ')}.`,
  ]
  return inWordsOf(words, sentences.filter(Boolean).join(' '))
}
