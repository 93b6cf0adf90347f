import { parseJson } from '../../calls/json-body.ts'

/** The JSON-RPC error for a message that cannot be processed, and the message's id. */
export type Unreadable = { code: number; text: string; id: string | number | null }

/** The string parameter that each method requires. */
const required: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/**
 * Parses the message in a request, or returns the error. The MCP SDK would also reject invalid parameters, but its
 * errors repeat them.
 */
export function readMessage(body: unknown): { message: unknown } | { unreadable: Unreadable } {
  const message = parse(body)
  if (message === undefined) return refuse(-32_700, 'The body is not valid JSON in UTF-8.')
  // A request is logged, counted and charged once, so two calls in one request would count as one.
  if (Array.isArray(message)) return refuse(-32_600, 'Send one message per request. Batches are not supported.')
  const fault = isObject(message) ? faultIn(message) : undefined
  return fault ? refuse(-32_602, fault, (message as Members)['id']) : { message }
}

function faultIn({ method, params }: Members): string | undefined {
  if (typeof method !== 'string' || !Object.hasOwn(required, method)) return undefined
  if (!isObject(params)) return '`params` must be an object.'
  if (typeof params[String(required[method])] !== 'string') return `\`params.${required[method]}\` must be a string.`
  const given = params['arguments']
  if (given === undefined) return undefined
  if (!isObject(given)) return '`arguments` must be an object.'
  const isPrompt = method === 'prompts/get'
  return isPrompt && Object.values(given).some((value) => typeof value !== 'string')
    ? 'Prompt arguments must be strings.'
    : undefined
}

function parse(body: unknown): unknown {
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}

const refuse = (code: number, text: string, id?: unknown): { unreadable: Unreadable } => ({
  unreadable: { code, text, id: typeof id === 'string' || typeof id === 'number' ? id : null },
})

/** Any JSON object. */
export type Members = Record<string, unknown>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
