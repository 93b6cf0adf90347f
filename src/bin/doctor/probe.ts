import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import type { Patience } from './check.ts'

export type Reply = { status: number; body: string }

type Ask = Pick<Patience, 'timeoutMs'> & {
  headers?: Record<string, string>
  /** Connects to this address instead of that of the URL. */
  at?: { host: string; port: number }
  /** The check of the certificates looks at it. */
  acceptsAnyCertificate?: boolean
}

const maxBodyBytes = 65_536

/** A GET to a service of this installation. Rejects with the system's error, or with ETIMEDOUT. */
export async function askService(
  url: string,
  { timeoutMs, headers = {}, at, acceptsAnyCertificate = false }: Ask,
): Promise<Reply> {
  const { protocol, host, hostname } = new URL(url)
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const options = {
    agent: false as const,
    headers: { host, 'user-agent': 'broadside-doctor', connection: 'close', ...headers },
    ...(at && { host: at.host, port: at.port }),
  }
  const tls = { rejectUnauthorized: !acceptsAnyCertificate, ...(isIP(name) ? {} : { servername: name }) }
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const request = protocol === 'https:' ? requestHttps(url, { ...options, ...tls }) : requestHttp(url, options)
  const late = setTimeout(() => request.destroy(timedOut()), timeoutMs)
  request.on('error', reject)
  request.on('response', (response) => {
    let body = ''
    response.setEncoding('utf8').on('data', (text: string) => {
      body += text.slice(0, maxBodyBytes - body.length)
    })
    response.on('error', reject)
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
  })
  request.end()
  return await promise.finally(() => clearTimeout(late))
}

const timedOut = () => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })

export type Served = {
  certificate: PeerCertificate
  /** Why the chain is not trusted, such as CERT_HAS_EXPIRED; undefined if it is. The name is not considered. */
  fault: string | undefined
}

/** The certificate that a server shows for this origin. */
export async function readServedCertificate(
  origin: string,
  { timeoutMs }: Pick<Patience, 'timeoutMs'>,
): Promise<Served> {
  const { hostname, port } = new URL(origin)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const { promise, resolve, reject } = Promise.withResolvers<Served>()
  const socket: TLSSocket = connect({
    ...{ host, port: Number(port) || 443, rejectUnauthorized: false },
    ...(isIP(host) ? {} : { servername: host }),
    // The name is checked separately, so that both faults can be reported.
    checkServerIdentity: () => undefined,
  })
  const late = setTimeout(() => socket.destroy(timedOut()), timeoutMs)
  socket.on('error', reject)
  socket.on('secureConnect', () => {
    const fault = socket.authorizationError as unknown as string | undefined
    resolve({ certificate: socket.getPeerCertificate(), fault: fault ? String(fault) : undefined })
  })
  return await promise.finally(() => {
    clearTimeout(late)
    socket.destroy()
  })
}
