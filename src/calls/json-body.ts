import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../contract/problems/problem.ts'

const json = 'application/json'

/** Rejects bodies that are compressed or not JSON. */
export function assertJsonBody(headers: IncomingHttpHeaders): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (type === json && (!encoding || encoding === 'identity')) return
  throw new Problem(
    'unsupported_media_type',
    'Send the body as JSON with Content-Type: application/json, without compression.',
    {
      headers: { 'accept-post': json },
    },
  )
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function parseJson(body: unknown): unknown {
  try {
    return JSON.parse(decoder.decode(body as Buffer))
  } catch {
    // The parser's message quotes the body, so it is not repeated.
    throw new Problem('malformed_json', 'The body is not valid JSON in UTF-8.')
  }
}
