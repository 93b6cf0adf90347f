import { ConfigurationError } from './errors.ts'
import { longestTimerMs } from './retry.ts'

export type BroadsideOptions = {
  /** Any of the four sites, such as https://messages.broadside.example. Default: BROADSIDE_URL. */
  baseUrl?: string | URL | undefined
  /** Default: BROADSIDE_API_KEY. Pass null to send no key. */
  apiKey?: string | null | undefined
  /** The token of an owner's session, for the operations under /v1/manage. It is sent instead of a key. */
  ownerToken?: string | undefined
  /** Maximum number of retries per call. Default: 3. */
  maxRetries?: number | undefined
  /** Do not wait for a Retry-After longer than this many milliseconds. Default: 60,000. */
  maxRetryWaitMs?: number | undefined
  /** Timeout of one attempt in milliseconds. Default: 30,000. */
  timeoutMs?: number | undefined
  /** Sends the requests. Default: the global fetch. */
  fetch?: typeof fetch | undefined
}

export type Settings = {
  baseUrl: string
  token: string | undefined
  maxRetries: number
  maxRetryWaitMs: number
  timeoutMs: number
  fetch: typeof fetch
}

/** Checks the options and fills in the defaults. A message never repeats a value, which could be a secret. */
export function settingsFrom(options: BroadsideOptions): Settings {
  const apiKey = options.apiKey === undefined ? fromEnvironment('BROADSIDE_API_KEY') : options.apiKey
  const { ownerToken, maxRetries = 3, maxRetryWaitMs = 60_000, timeoutMs = 30_000 } = options
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new ConfigurationError('maxRetries must be a whole number, 0 or more.')
  if (maxRetryWaitMs !== 0) checkMs('maxRetryWaitMs', maxRetryWaitMs)
  checkMs('timeoutMs', timeoutMs)
  if (ownerToken !== undefined && !/^[!-~]+$/.test(ownerToken))
    throw new ConfigurationError('ownerToken is empty or has a character that no token has.')
  return {
    baseUrl: baseUrlFrom(options.baseUrl ?? fromEnvironment('BROADSIDE_URL')),
    token: ownerToken ?? (typeof apiKey === 'string' ? checkedKey(apiKey) : undefined),
    maxRetries,
    maxRetryWaitMs,
    timeoutMs,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  }
}

/** Refuses a time that a timer cannot take. */
export function checkMs(name: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0 && value <= longestTimerMs))
    throw new ConfigurationError(`${name} must be a number of milliseconds, more than 0 and at most ${longestTimerMs}.`)
}

function baseUrlFrom(given: string | URL | undefined): string {
  if (!given) throw new ConfigurationError('Broadside needs the address of a site: pass baseUrl or set BROADSIDE_URL.')
  const text = String(given).trim()
  const { protocol, origin, pathname, search, hash, username } = urlFrom(text)
  if (!/^https?:$/.test(protocol)) throw new ConfigurationError('baseUrl must start with https:// or http://.')
  if (search || hash || username)
    throw new ConfigurationError('baseUrl must be the address of a site without user, query or fragment.')
  const path = pathname.replace(/\/+$/, '')
  if (path.endsWith('/v1')) throw new ConfigurationError('baseUrl is the address of the site, without /v1.')
  return origin + path
}

function urlFrom(text: string): URL {
  try {
    return new URL(text)
  } catch (cause) {
    throw new ConfigurationError('baseUrl is not a URL. Pass an address such as https://messages.broadside.example.', {
      cause,
    })
  }
}

function checkedKey(key: string): string {
  const fault = faultOf(key)
  if (fault) throw new ConfigurationError(`${fault} An API key starts with bsk_.`)
  return key
}

function faultOf(key: string): string | undefined {
  if (key === '') return 'apiKey is empty.'
  if (/^["'`]|["'`]$/.test(key.trim())) return 'apiKey has quotation marks around it. Remove them.'
  if (/\s/.test(key)) return 'apiKey contains a space or a line break. Remove it.'
  if (key.startsWith('whsec_')) return 'apiKey is the secret of a webhook.'
  if (!/^bsk_[0-9A-Za-z]+$/.test(key)) return 'apiKey is not an API key.'
  return undefined
}

/** A variable of the environment, where the runtime allows reading it. Empty counts as not set. */
function fromEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
    return process?.env?.[name] || undefined
  } catch {
    return undefined
  }
}
