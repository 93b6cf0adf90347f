import { answersNothing, type Operation } from '../define-operation.ts'
import { problemCodes } from '../problems/problems.ts'
import { inputSchema, type JsonSchema, namedParts, outputSchema, schemaName } from './json-schema.ts'

/** A TypeScript type for the subset of JSON Schema that our contract uses. Anything else fails the generation. */
export function printType(schema: JsonSchema, indent = ''): string {
  if (typeof schema['component'] === 'string') return schema['component']
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  const options = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(options)) return [...new Set(options.map((option) => printType(option, indent)))].join(' | ')
  const types = schema['type']
  if (Array.isArray(types)) return types.map((type) => printType({ ...schema, type }, indent)).join(' | ')
  switch (types) {
    case 'string':
    case 'boolean':
    case 'null':
      return types
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `Array<${printType(schema['items'] as JsonSchema, indent)}>`
    case 'object':
      return printObject(schema, indent)
    default:
      throw new Error(`The client generator does not support the schema ${JSON.stringify(schema).slice(0, 200)}`)
  }
}

function printObject(schema: JsonSchema, indent: string): string {
  const required = new Set((schema['required'] as string[] | undefined) ?? [])
  const properties = Object.entries((schema['properties'] as Record<string, JsonSchema> | undefined) ?? {})
  const deeper = `${indent}  `
  const members = properties.map(([name, property]) => {
    const description = property['description'] ? `${deeper}/** ${property['description']} */\n` : ''
    return `${description}${deeper}${name}${required.has(name) ? '' : '?'}: ${printType(property, deeper)}`
  })
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('\n')}\n${indent}}`
}

/** The operations of each site, by its kind of post. */
export type OperationsByKind = ReadonlyMap<string, readonly Operation[]>

/** The source of the client's operations. Types that differ between sites get one type per site and a union. */
export function printClient(sites: OperationsByKind): string {
  const operations = [...new Map([...sites.values()].flat().map((operation) => [operation.id, operation])).values()]
  return `// Made by \`npm run generate\` from the service's operations. Do not edit.

import type { Answer, CallOptions } from './call.ts'

export type ProblemCode =
${problemCodes.map((code) => `  | '${code}'`).join('\n')}

${printTypes(sites)}

export type OperationFacts = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  safeToRepeat: boolean
  takesIdempotencyKey: boolean
}

export abstract class BroadsideOperations {
  protected abstract call<Body>(
    operation: OperationFacts,
    input: { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown },
    options?: CallOptions,
  ): Promise<Answer<Body>>

${operations.map(printMethod).join('\n\n')}
}
`
}

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const bodyType = ({ id, body }: Operation) => body && (schemaName(body) ?? `${pascal(id)}Body`)
const queryType = ({ id, query }: Operation) => query && `${pascal(id)}Query`
const outputType = (operation: Operation) =>
  answersNothing(operation) ? 'undefined' : (schemaName(operation.output) ?? `${pascal(operation.id)}Answer`)
const trialType = ({ id, trialAnswer }: Operation) =>
  trialAnswer && (schemaName(trialAnswer.output) ?? `${pascal(id)}Trial`)
const answerTypes = (operation: Operation) => [outputType(operation), trialType(operation)].filter(Boolean).join(' | ')

/** Prints a type once if it is the same on every site; otherwise one type per kind and their union. */
function printTypes(sites: OperationsByKind): string {
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

function printMethod(operation: Operation): string {
  const { id, method, path, summary, params, query, body } = operation
  const parameters = [
    params &&
      `params: { ${Object.keys(params.shape)
        .map((name) => `${name}: string`)
        .join('; ')} }`,
    body && `body: ${bodyType(operation)}`,
    query && `query: ${queryType(operation)}${query.safeParse({}).success ? ' = {}' : ''}`,
    'options?: CallOptions',
  ].filter(Boolean)
  const given = [params && 'params', query && 'query', body && 'body'].filter(Boolean).join(', ')
  const facts = {
    method,
    path,
    safeToRepeat: isSafeToRepeat(operation),
    takesIdempotencyKey: operation.takesIdempotencyKey ?? false,
  }
  const printedFacts = Object.entries(facts).map(
    ([name, fact]) => `${name}: ${typeof fact === 'string' ? `'${fact}'` : fact}`,
  )
  return `  /** ${summary}. */
  ${id}(${parameters.join(', ')}): Promise<Answer<${answerTypes(operation)}>> {
    return this.call({ ${printedFacts.join(', ')} }, ${given ? `{ ${given} }` : '{}'}, options)
  }`
}

/**
 * The client must not silently repeat a metered call: the first one may have been charged although its response was
 * lost.
 */
const isSafeToRepeat = ({ safeToRepeat, allowance, method }: Operation): boolean =>
  safeToRepeat ?? (!allowance && (method === 'GET' || method === 'DELETE'))
