import { answersNothing, type Operation } from '../../define-operation.ts'
import { inputSchema, type JsonSchema, namedParts, outputSchema, schemaName } from '../json-schema.ts'
import { printType } from './print-type.ts'

/** The operations of each site, by the site's kind of post. */
export type OperationsByKind = ReadonlyMap<string, readonly Operation[]>

export const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
export const bodyType = ({ id, body }: Operation) => body && (schemaName(body) ?? `${pascal(id)}Body`)
export const queryType = ({ id, query }: Operation) => query && `${pascal(id)}Query`
const outputType = (operation: Operation) =>
  answersNothing(operation) ? 'undefined' : (schemaName(operation.output) ?? `${pascal(operation.id)}Answer`)
const trialType = ({ id, trialAnswer }: Operation) =>
  trialAnswer && (schemaName(trialAnswer.output) ?? `${pascal(id)}Trial`)
export const answerTypes = (operation: Operation) =>
  [outputType(operation), trialType(operation)].filter(Boolean).join(' | ')

/** Prints each type once if it is the same on every site; otherwise prints one type per kind and their union. */
export function printTypes(sites: OperationsByKind): string {
  const variants = new Map<string, Map<string, string>>()
  for (const [kind, operations] of sites)
    for (const [name, type] of operations.flatMap(typesOf))
      variants.set(name, (variants.get(name) ?? new Map()).set(kind, type))
  const printed = [...variants].flatMap(([name, byKind]) => {
    const [only, ...others] = new Set(byKind.values())
    if (others.length === 0) return [`export type ${name} = ${only}`]
    const named = [...byKind].map(([kind, type]) => [`${pascal(kind)}${name}`, type] as const)
    return [
      ...named.map(([variant, type]) => `export type ${variant} = ${type}`),
      `export type ${name} = ${named.map(([variant]) => variant).join(' | ')}`,
    ]
  })
  return printed.join('\n\n')
}

/** The types of an operation and the shared types inside them. */
function typesOf(operation: Operation): [name: string, type: string][] {
  const { body, query, output, trialAnswer } = operation
  const schemas: [string | undefined, JsonSchema | undefined][] = [
    [bodyType(operation), body && inputSchema(body)],
    [queryType(operation), query && inputSchema(query)],
    [outputType(operation), answersNothing(operation) ? undefined : outputSchema(output)],
    [trialType(operation), trialAnswer && outputSchema(trialAnswer.output)],
  ]
  return schemas.flatMap(([name, schema]) => {
    if (!name || !schema) return []
    const own: [string, JsonSchema][] = schema['component'] ? [] : [[name, schema]]
    return [...namedParts(schema), ...own].map(([one, part]) => [one, printType(part)] as [string, string])
  })
}

/** Types that differ by kind, as maps: `PostBody['story']` is the body of a story. */
export function printKindMaps(kinds: readonly string[]): string {
  const map = (name: string, comment: string, typeOf: (kind: string) => string) =>
    `/** ${comment} */\nexport type ${name} = {\n${kinds.map((kind) => `  ${kind}: ${typeOf(pascal(kind))}`).join('\n')}\n}`
  return [
    `/** The kinds of posts. Each kind has one site. */\nexport type Kind = ${kinds.map((kind) => `'${kind}'`).join(' | ')}`,
    map('PostBody', 'What you submit, by kind.', (kind) => `${kind}SubmitPostBody`),
    map('EditBody', 'What an edit changes, by kind.', (kind) => `${kind}EditPostBody`),
    map('PublicPost', 'A published post, by kind.', (kind) => `${kind}PostList['data'][number]`),
    map('BrowseQuery', 'The filters for browsing, by kind.', (kind) => `${kind}BrowsePostsQuery`),
  ].join('\n\n')
}
