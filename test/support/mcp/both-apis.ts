import { answersNothing } from '../../../src/contract/define-operation.ts'
import type { CallableTool } from '../../../src/mcp/tools/describe-tool.ts'
import { callOperation } from '../http/request.ts'

export type Arguments = Record<string, unknown>

/** The example of the tool's operation, as arguments. */
export function exampleArguments({ operation: { examples }, entry }: CallableTool): Arguments {
  const body = Object.entries((examples.body ?? {}) as Arguments).filter(
    ([name]) => !(name in (entry.fixed?.body ?? {})),
  )
  return { ...(examples.params as Arguments), ...(examples.query as Arguments), ...Object.fromEntries(body) }
}

type Asked = { baseUrl: string; apiKey?: string | undefined }

/** Sends a tool's arguments to its operation over HTTP, each in its place in the contract. */
export async function askByHttp({ baseUrl, apiKey }: Asked, { operation, entry }: CallableTool, given: Arguments) {
  const { fixed, defaults = {} } = entry
  const { idempotency_key: key, ...named } = given
  const isInPath = ([name]: [string, unknown]) => operation.path.includes(`{${name}}`)
  const inPath = Object.fromEntries(Object.entries(named).filter(isInPath))
  const others = Object.fromEntries(Object.entries(named).filter((one) => !isInPath(one)))
  const isInQuery = ([name]: [string, unknown]) => !operation.body || name in (operation.query?.shape ?? {})
  const usual = Object.fromEntries(Object.entries(defaults).map(([name, { value }]) => [name, value]))
  const examples = {
    params: inPath,
    query: { ...usual, ...Object.fromEntries(Object.entries(others).filter(isInQuery)), ...fixed?.query },
    body: operation.body && {
      ...fixed?.body,
      ...Object.fromEntries(Object.entries(others).filter((one) => !isInQuery(one))),
    },
    output: operation.examples.output,
  }
  const response = await callOperation(
    baseUrl,
    { ...operation, examples },
    { apiKey, ...(key !== undefined && { headers: { 'idempotency-key': String(key) } }) },
  )
  const text = await response.text()
  return { status: response.status, body: text === '' && answersNothing(operation) ? undefined : JSON.parse(text) }
}
