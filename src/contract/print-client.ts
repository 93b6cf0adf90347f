import type { Operation } from './define-operation.ts'
import { inputSchema, outputSchema, schemaName } from './json-schema.ts'
import { printType } from './print-type.ts'
import { problemCodes } from './problems.ts'

/** The source of the client's operations. Every site must have the same ones under the same names. */
export function printClient(operations: readonly Operation[]): string {
  return `// Made by \`npm run generate\` from the service's operations. Do not edit.

import type { Answer, CallOptions } from './client.ts'

export type ProblemCode =
${problemCodes.map((code) => `  | '${code}'`).join('\n')}

${[...typesOf(operations)].map(([name, type]) => `export type ${name} = ${type}`).join('\n\n')}

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
const outputType = ({ id, output }: Operation) => schemaName(output) ?? `${pascal(id)}Answer`

function typesOf(operations: readonly Operation[]): Map<string, string> {
  const types = new Map<string, string>()
  for (const operation of operations) {
    const { body, query, output } = operation
    if (body) types.set(String(bodyType(operation)), printType(inputSchema(body)))
    if (query) types.set(String(queryType(operation)), printType(inputSchema(query)))
    types.set(outputType(operation), printType(outputSchema(output)))
  }
  return types
}

function printMethod(operation: Operation): string {
  const { id, method, path, summary, params, query, body } = operation
  const parameters = [
    params &&
      `params: { ${Object.keys(params.shape)
        .map((name) => `${name}: string`)
        .join('; ')} }`,
    query && `query: ${queryType(operation)}`,
    body && `body: ${bodyType(operation)}`,
    'options?: CallOptions',
  ].filter(Boolean)
  const given = [params && 'params', query && 'query', body && 'body'].filter(Boolean).join(', ')
  const facts = {
    method,
    path,
    safeToRepeat: operation.safeToRepeat ?? (method === 'GET' || method === 'DELETE'),
    takesIdempotencyKey: operation.takesIdempotencyKey ?? false,
  }
  const printedFacts = Object.entries(facts).map(
    ([name, fact]) => `${name}: ${typeof fact === 'string' ? `'${fact}'` : fact}`,
  )
  return `  /** ${summary}. */
  ${id}(${parameters.join(', ')}): Promise<Answer<${outputType(operation)}>> {
    return this.call({ ${printedFacts.join(', ')} }, ${given ? `{ ${given} }` : '{}'}, options)
  }`
}
