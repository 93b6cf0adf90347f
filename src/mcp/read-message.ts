import { parseJson } from '../calls/json-body.ts'

/** A message that no one can answer: the error of JSON-RPC, and the request that it belongs to. */
export type Unreadable = { code: number; text: string; id: string | number | null }

type Members = Record<string, unknown>

/**
 * Reads the one message of a request, or says why it cannot be taken. The package for the protocol would refuse wrong
 * arguments too, but by repeating them.
 */
export function readMessage(body: unknown): { message: unknown } | { unreadable: Unreadable } {
  const message = parse(body)
  if (message === undefined) return refuse(-32_700, 'The body is not one JSON text in UTF-8.')
  // A request is named, counted and charged once, so that two calls in it would be taken for one.
  if (Array.isArray(message)) return refuse(-32_600, 'Send one message at a time: batches are not taken.')
  if (!isObject(message) || !isObject(message['params'])) return { message }
  const given = message['params']['arguments']
  if (given === undefined) return { message }
  if (!isObject(given)) return refuse(-32_602, '`arguments` must be an object.', message['id'])
  const isPrompt = message['method'] === 'prompts/get'
  if (isPrompt && Object.values(given).some((value) => typeof value !== 'string'))
    return refuse(-32_602, 'The arguments of a prompt must be strings.', message['id'])
  return { message }
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

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
