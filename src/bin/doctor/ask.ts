import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls'
import type { Context } from './probe.ts'

export type Reply = {
  status: number
  body: string
  /** Only over TLS. `fault`: why the chain is not trusted, such as CERT_HAS_EXPIRED. */
  tls?: { certificate: PeerCertificate; fault: string | undefined; isNamed: boolean }
}

type Ask = Pick<Context, 'timeoutMs'> & {
  headers?: Record<string, string>
  /** Connects to this address instead of that of the URL. */
  at?: { host: string; port: number }
  /** For origins, whose certificates a probe compares. */
  acceptsAnyCertificate?: boolean
}

/** Nothing answered in time, twice. */
export class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT'
}

const ticks = 50

/**
 * Runs `work` with a time limit, and a second time if it gave no answer. Counts only the time in which this process could
 * have seen an answer: a late event loop makes the ticks late, and the limit with them.
 */
export async function inTime<Answer>(
  timeoutMs: number,
  work: (late: AbortSignal) => Promise<Answer>,
  attempts = 2,
): Promise<Answer> {
  const late = new AbortController()
  const silence = Promise.withResolvers<never>()
  let left = ticks
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    silence.reject(new NoAnswer('no answer in time'))
    late.abort()
  }, timeoutMs / ticks)
  try {
    return await Promise.race([work(late.signal), silence.promise])
  } catch (error) {
    if (!(error instanceof NoAnswer) || attempts === 1) throw error
  } finally {
    clearInterval(timer)
  }
  return await inTime(timeoutMs, work, attempts - 1)
}

const maxBodyBytes = 1_000_000

/** A GET to a service of this installation. Rejects with the system's error, or with a `NoAnswer`. */
export const askService = (url: string, { timeoutMs, ...options }: Ask): Promise<Reply> =>
  inTime(timeoutMs, (late) => askOnce(url, options, late))

async function askOnce(
  url: string,
  { headers, at, acceptsAnyCertificate }: Omit<Ask, 'timeoutMs'>,
  signal: AbortSignal,
) {
  const { protocol, host, hostname } = new URL(url)
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const options = {
    agent: false as const,
    signal,
    headers: { host, 'user-agent': 'broadside-doctor', connection: 'close', ...headers },
    ...at,
  }
  const tls = {
    rejectUnauthorized: !acceptsAnyCertificate,
    ...(acceptsAnyCertificate && { checkServerIdentity: () => undefined }),
    ...(isIP(name) ? {} : { servername: name }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const request = protocol === 'https:' ? requestHttps(url, { ...options, ...tls }) : requestHttp(url, options)
  request.on('error', reject)
  request.on('response', (response) => {
    let body = ''
    const of = protocol === 'https:' ? { tls: certificateOf(response.socket as TLSSocket, name) } : {}
    response.setEncoding('utf8').on('data', (text: string) => {
      body += text.slice(0, maxBodyBytes - body.length)
    })
    response.on('error', reject)
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body, ...of }))
  })
  request.end()
  return await promise
}

function certificateOf(socket: TLSSocket, name: string) {
  const certificate = socket.getPeerCertificate()
  const fault = socket.authorizationError as unknown as string | undefined
  const isNamed = checkServerIdentity(name, certificate) === undefined
  return { certificate, fault: fault ? String(fault) : undefined, isNamed }
}

/** A process that listens on all addresses also listens on the loopback address. */
export const localAddress = (host: string) =>
  ['0.0.0.0', '::', '*'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
