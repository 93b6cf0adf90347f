/** JSON Schema; a function of a client has `type: 'function'` and its signatures. */
export type Schema = { readonly [keyword: string]: unknown }

/** What callers use by name: an operation, an event, a tool, a problem, or an exported name of a client. */
export type Entry = {
  /** What callers send, by name: `query limit`, `body application/json`, `arguments`. */
  inputs?: Record<string, { required?: boolean; schema: Schema }>
  /** What callers receive, by name: `200 application/json`, `payload`, `value`. */
  outputs?: Record<string, { schema: Schema }>
  /** The ways to authenticate, each with everything that it needs. */
  access?: string[][]
  /** Values that never change, such as the status of a problem. */
  facts?: Record<string, string | number | boolean>
  /** An exported type of a client, which may be used by what callers send or receive. */
  type?: Schema
}

export type Contract = {
  entries: Record<string, Entry>
  /** The named schemas that entries refer to with `$ref: '#/Name'`. */
  schemas: Record<string, Schema>
}

export const contractNames = ['openapi', 'asyncapi', 'mcp', 'problems', 'typescript', 'python'] as const
export type ContractName = (typeof contractNames)[number]

/** Each contract has a part for each site or server; those of the clients have one. */
export type Parts = Record<string, Contract>
export type Contracts = Record<ContractName, Parts>

/** One difference between two contracts. */
export type Change = {
  /** Names the change for an announcement: `openapi: POST /v1/posts: body.text: maxLength 500 → 400`. */
  id: string
  breaking: boolean
  /** What a caller notices. */
  notice: string
}

export const propertiesOf = (schema: Schema): Record<string, Schema> =>
  (schema['properties'] ?? {}) as Record<string, Schema>

export const listAt = (schema: Schema, keyword: string): unknown[] => (schema[keyword] ?? []) as unknown[]
