import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../contract/problems/problem.ts'

const json = 'application/json'

/** Refuses a body of another type, or a compressed one. */
export function assertJsonBody(headers: IncomingHttpHeaders): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (type === json && (!encoding || encoding === 'identity')) return
  throw new Problem('unsupported_media_type', 'Send the body as application/json, not compressed.', {
    headers: { 'accept-post': json },
  })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function parseJson(body: unknown): unknown {
  try {
    return JSON.parse(decoder.decode(body as Buffer))
  } catch {
    // The parser's own words quote the body, so they are not repeated.
    throw new Problem('malformed_json', 'The body is not one JSON text in UTF-8.')
  }
}
