/** Requests: keep-alive, no redirects followed, paced. */
import { randomInt } from 'node:crypto'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, type Json, show } from './checks.ts'
import { requestsPerSecond, sites } from './targets.ts'

export { sleep }

const agents = new Map<string, http.Agent | https.Agent>()
function agentFor(protocol: string, localAddress: string | undefined) {
  const name = `${protocol} ${localAddress ?? ''}`
  const { Agent } = protocol === 'https:' ? https : http
  // One address family, so that "localhost" is always the same client to the gateway's counters.
  const agent = agents.get(name) ?? new Agent({ keepAlive: true, maxSockets: 60, family: 4, localAddress })
  agents.set(name, agent)
  return agent
}

let nextSlot = 0
async function takeSlot(wait: boolean) {
  const now = performance.now()
  const at = Math.max(now, nextSlot)
  const next = at + 1000 / requestsPerSecond
  // Requests that are sent out of turn delay those that follow, but never by more than two seconds.
  nextSlot = wait ? next : Math.min(next, Math.max(nextSlot, now + 2000))
  if (wait && at > now) await sleep(at - now)
}

/** Every problem code any reply carried, so that its catalog page can be asked for at the end. */
export const codesSeen = new Set<string>()

type Answer = { method: string; url: string; status: number; headers: IncomingHttpHeaders; bytes: Buffer }
export class Reply {
  declare readonly method: string
  declare readonly url: string
  declare readonly status: number
  declare readonly headers: Answer['headers']
  declare readonly bytes: Buffer
  readonly receivedAt = Date.now()
  constructor(answer: Answer) {
    Object.assign(this, answer)
  }
  get text() {
    return this.bytes.toString('utf8')
  }
  get type() {
    return this.headers['content-type'] ?? ''
  }
  get mediaType() {
    return (this.type.split(';')[0] ?? '').trim().toLowerCase()
  }
  get isJson() {
    return /[/+]json$/.test(this.mediaType)
  }
  get json(): Json {
    if (this.data === undefined) throw new Failure(`${this.method} ${this.url}: expected a JSON body, came ${this}`)
    return this.data
  }
  /** The JSON body, or undefined. */
  get data(): Json {
    try {
      return JSON.parse(this.text)
    } catch {
      return undefined
    }
  }
  /** A header, or '' if there is none. */
  header(name: string): string {
    return String(this.headers[name] ?? '')
  }
  toString() {
    return `${this.status} ${this.mediaType || '(no content type)'} ${show(this.data ?? this.text)}`
  }
}

export type RequestOptions = {
  key?: string | undefined
  headers?: Record<string, Json>
  /** Sent as JSON unless it is a string or a Buffer, which go as they are. */
  body?: unknown
  query?: Record<string, string | undefined>
  /** A local address to come from. */
  from?: string | undefined
  timeoutMs?: number
  /** False skips the wait, for duplicates in parallel and bursts. */
  paced?: boolean
}

export async function request(method: string, url: string, options: RequestOptions = {}): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    await takeSlot(options.paced !== false)
    const reply = await send(method, url, options)
    // Other clients may be using the platform ceiling. The gateway's refusal never reached the service: ask again.
    if (options.paced === false || attempt > 4 || reply.status !== 429 || reply.data?.code !== 'platform_busy')
      return reply
    await sleep(500 * attempt)
  }
}

async function send(method: string, url: string, options: RequestOptions, isSecond = false): Promise<Reply> {
  const { key, headers = {}, body, query = {}, from, timeoutMs = 15_000 } = options
  const target = new URL(url)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) target.searchParams.append(name, value)
  const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const sent: Record<string, Json> = {
    accept: '*/*',
    'user-agent': 'acceptance/1',
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    ...(payload !== undefined || !['GET', 'HEAD'].includes(method)
      ? { 'content-length': Buffer.byteLength((payload as string) ?? '') }
      : {}),
    ...headers,
  }
  for (const name of Object.keys(sent)) if (sent[name] === undefined || sent[name] === null) delete sent[name]

  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const { request: open } = target.protocol === 'https:' ? https : http
  const outgoing = open(target, { method, headers: sent, agent: agentFor(target.protocol, from) }, (incoming) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('error', reject)
    incoming.on('end', () => {
      const { statusCode: status = 0, headers: received } = incoming
      resolve(new Reply({ method, url: target.href, status, headers: received, bytes: Buffer.concat(chunks) }))
    })
  })
  outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`nothing within ${timeoutMs / 1000} s`)))
  outgoing.on('error', reject)
  outgoing.end(payload)
  try {
    const reply = await promise
    if (reply.mediaType === 'application/problem+json' && typeof reply.data?.code === 'string')
      codesSeen.add(reply.data.code)
    return reply
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // The server closed an idle connection just as it was used again: it never read the request.
    if (outgoing.reusedSocket && code === 'ECONNRESET' && !isSecond) return send(method, url, options, true)
    throw new Failure(`${method} ${url}: expected an answer, came ${code ?? message}`)
  }
}

/** Calls on one site: `at('message').get('/v1/status')`. */
export function at(kind: string) {
  const base = sites[kind] ?? kind
  const call = (method: string, path: string, options?: RequestOptions) => request(method, base + path, options)
  return {
    get: (path: string, options?: RequestOptions) => call('GET', path, options),
    head: (path: string, options?: RequestOptions) => call('HEAD', path, options),
    post: (path: string, body?: unknown, options?: RequestOptions) => call('POST', path, { ...options, body }),
    patch: (path: string, body?: unknown, options?: RequestOptions) => call('PATCH', path, { ...options, body }),
    delete: (path: string, options?: RequestOptions) => call('DELETE', path, options),
    send: call,
  }
}

/**
 * An address of this machine that no earlier run has used, so that daily allowances start full. Only Linux has loopback
 * addresses other than 127.0.0.1, and only a gateway on this machine sees them; elsewhere undefined comes back, and the
 * checks that use it consume the allowance of the one address there is.
 */
export async function freshAddress(): Promise<string | undefined> {
  if (process.env['ONE_ADDRESS']) return undefined
  const from = `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`
  try {
    await request('GET', `${sites['message']}/v1/status`, { from })
    return from
  } catch {
    return undefined
  }
}
