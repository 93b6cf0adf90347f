import { lookup } from 'node:dns/promises'
import type { Status } from '../../index.ts'
import { type Finding, failed, ok, warning } from './check.ts'

/** What to do about the code of a failed connection. The first pattern that matches applies. */
const connectionAdvice: readonly [RegExp, string][] = [
  [
    /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|SSL/,
    'Check the certificate of the site, the clock and the proxy of this machine.',
  ],
  [/REFUSED/, 'Nothing listens there. Check the address and the port.'],
  [/TIMEOUT|timeout|abort/i, 'Check the network and the firewall, and whether you need a proxy.'],
  [/./, 'Check the network and the address.'],
]

const timeoutMs = 10_000
/** Receivers refuse webhooks that are 5 minutes old. */
const worstSkewSeconds = 300
const smallSkewSeconds = 30

export type Reached = { findings: Finding[]; status?: Status }

/** Name, connection, site and clock. Stops at the first failure, because the rest would repeat it. */
export async function checkConnection(address: string): Promise<Reached> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return { findings: [failed('address', 'usage', `${address} is not an address.`, 'Pass --url https://…')] }
  const { hostname, protocol } = new URL(address)
  const name = await checkName(hostname.replace(/^\[|\]$/g, ''))
  if (name.result === 'failed') return { findings: [name] }
  const { response, error } = await ask(`${address.replace(/\/+$/, '')}/v1/status`)
  if (!response) return { findings: [name, unreachable(protocol, error)] }
  const connected = ok(protocol === 'https:' ? 'tls' : 'connection', protocol === 'https:' ? 'encrypted' : 'http')
  const status = await statusIn(response)
  if (!status) return { findings: [name, connected, noSite(response)] }
  const site = ok('site', `Broadside with ${status.sites.length} sites`)
  return { findings: [name, connected, site, checkClock(response)], status }
}

async function checkName(hostname: string): Promise<Finding> {
  try {
    const { address } = await lookup(hostname)
    return ok('name', `${hostname} is ${address}`)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return failed('name', 'unavailable', `${hostname} has no address (${code}).`, 'Check the spelling and the DNS.')
  }
}

async function ask(url: string): Promise<{ response?: Response; error?: unknown }> {
  try {
    return { response: await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }) }
  } catch (error) {
    return { error }
  }
}

function unreachable(protocol: string, error: unknown): Finding {
  const { name, cause } = error as Error & { cause?: { code?: string } }
  const code = cause?.code ?? name
  const [, advice = ''] = connectionAdvice.find(([pattern]) => pattern.test(code)) ?? []
  return failed(protocol === 'https:' ? 'tls' : 'connection', 'unavailable', `No connection (${code}).`, advice)
}

async function statusIn(response: Response): Promise<Status | undefined> {
  try {
    const status = (await response.json()) as Partial<Status> | null
    return response.ok && Array.isArray(status?.sites) ? (status as Status) : undefined
  } catch {
    return undefined
  }
}

const noSite = ({ status }: Response): Finding =>
  status >= 500
    ? failed('site', 'unavailable', `GET /v1/status returned ${status}.`, 'Try again in a few minutes.')
    : failed('site', 'failed', `GET /v1/status returned ${status}: this is not a Broadside site.`, 'Check the address.')

function checkClock({ headers }: Response): Finding {
  const theirs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirs))
    return warning('clock', 'The site sends no Date header.', 'Check the proxy between you and it.')
  const seconds = Math.round((Date.now() - theirs) / 1_000)
  const detail =
    seconds === 0
      ? 'agrees with the service'
      : `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the service`
  const advice = 'Set the clock of this machine. Webhook signatures depend on it.'
  if (Math.abs(seconds) >= worstSkewSeconds) return failed('clock', 'failed', detail, advice)
  return Math.abs(seconds) >= smallSkewSeconds ? warning('clock', detail, advice) : ok('clock', detail)
}
