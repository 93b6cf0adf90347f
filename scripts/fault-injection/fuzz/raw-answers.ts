export type RawAnswer = {
  /** Undefined for an HTTP/0.9 response, which is only a body. */
  status: number | undefined
  headers: Headers
  body: Buffer
  isWhole: boolean
}

/**
 * The responses received over a connection, without interim ones. `methods` are those of the requests, in order: a
 * response to HEAD has no body. The last response may be incomplete. `hasEnded` says that no more bytes will follow.
 */
export function parseAnswers(received: Buffer, methods: readonly string[], hasEnded: boolean): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = received
  while (rest.length > 0) {
    if (!isStatusLine(rest)) return [...answers, withoutHead(rest, hasEnded)]
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return [...answers, { status: 0, headers: new Headers(), body: rest, isWhole: false }]
    const { status, headers } = parseHead(rest.toString('latin1', 0, end))
    rest = rest.subarray(end + 4)
    if (status === 100) continue
    const method = methods[answers.length]
    // A mutation may have split one request into two; the bytes after the response show whether the second was a HEAD.
    const isHead = method === 'HEAD' || (method === undefined && isStatusLine(rest))
    const isBodiless = isHead || status === 204 || status === 304
    const { body, length } = isBodiless ? { body: Buffer.of(), length: 0 } : bodyIn(rest, headers, hasEnded)
    answers.push({ status, headers, body, isWhole: length !== undefined })
    rest = rest.subarray(length ?? rest.length)
  }
  return answers
}

const isStatusLine = (bytes: Buffer) => {
  const start = bytes.toString('latin1', 0, 9)
  return start === 'HTTP/1.1 '.slice(0, start.length)
}

const withoutHead = (body: Buffer, isWhole: boolean): RawAnswer => ({
  ...{ status: undefined, headers: new Headers(), body },
  isWhole,
})

function parseHead(head: string) {
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]))
  return { status: Number(statusLine.split(' ')[1]), headers }
}

/** The body at the start of these bytes and its length in bytes; no length while it is incomplete. */
function bodyIn(bytes: Buffer, headers: Headers, hasEnded: boolean): { body: Buffer; length?: number } {
  if (headers.get('transfer-encoding') === 'chunked') return chunksIn(bytes)
  const announced = headers.get('content-length')
  if (announced === null) return hasEnded ? { body: bytes, length: bytes.length } : { body: bytes }
  const length = Number(announced)
  return bytes.length >= length ? { body: bytes.subarray(0, length), length } : { body: bytes }
}

function chunksIn(bytes: Buffer): { body: Buffer; length?: number } {
  const parts: Buffer[] = []
  for (let start = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', start)
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', start, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (Number.isNaN(size) || next > bytes.length) return { body: Buffer.concat(parts) }
    parts.push(bytes.subarray(lineEnd + 2, next - 2))
    if (size === 0) return { body: Buffer.concat(parts), length: next }
    start = next
  }
}
