import type { Operation } from '../../../src/contract/define-operation.ts'

export type Overrides = {
  apiKey?: string | undefined
  method?: string
  path?: string
  query?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Calls an operation with its own examples and the given changes. */
export function callOperation(baseUrl: string, operation: Operation, overrides: Overrides = {}): Promise<Response> {
  const { apiKey, path = pathOf(operation), query = queryOf(operation) } = overrides
  const headers = new Headers({
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(operation.body && { 'content-type': 'application/json' }),
  })
  for (const [name, value] of Object.entries(overrides.headers ?? {})) headers.set(name, value)
  const method = overrides.method ?? operation.method
  const takesBody = method !== 'GET' && method !== 'HEAD'
  const body = overrides.body ?? (operation.body ? JSON.stringify(operation.examples.body) : undefined)
  return fetch(`${baseUrl}${path}${query}`, {
    method,
    headers,
    ...(takesBody && body !== undefined && { body }),
  } as RequestInit)
}

/** A stream needs a key only for the account's own events. */
export const ownStream = { query: '?scope=mine' }

export const mediaTypeOf = ({ answersStream }: Operation) => (answersStream ? 'text/event-stream' : 'application/json')

/** The body of an example without one field. */
export function without(body: unknown, member: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(body as object).filter(([name]) => name !== member)))
}

function pathOf({ path, examples }: Operation): string {
  const params = (examples.params ?? {}) as Record<string, string>
  return path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function queryOf({ examples }: Operation): string {
  const query = new URLSearchParams(examples.query as Record<string, string> | undefined)
  return query.size > 0 ? `?${query}` : ''
}
