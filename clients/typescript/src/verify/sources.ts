import { type Bytes, concatenate } from './bytes.ts'
import { Refusal } from './refusal.ts'

export type Fetch = (url: string, init?: { signal?: AbortSignal; cache?: 'no-cache' }) => Promise<Response>

/** Larger than any post, document of keys, proof or checkpoint. A compressed response can grow without end. */
const maxResponseBytes = 2 ** 20
const timeoutMs = 20_000

export type ReadLimits = {
  /** Default: 1 MiB. Bundles of entries can have 16 MiB. */
  maxBytes?: number
  /** Ends the reading, in addition to the limit of 20 seconds. */
  signal?: AbortSignal
}

/** The body at an address; undefined if nothing is there. Refuses with `unavailable` if no answer comes. */
export async function readUrl(url: string, fetch: Fetch, limits: ReadLimits = {}): Promise<Bytes | undefined> {
  const { maxBytes = maxResponseBytes, signal: given } = limits
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = given ? AbortSignal.any([given, timeout]) : timeout
  try {
    signal.throwIfAborted()
    // A fetch of the caller's own need not obey the signal.
    return await Promise.race([readResponse(url, fetch, maxBytes, signal), endOf(signal)])
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(
      'unavailable',
      given?.aborted ? 'The time for the verification is over.' : `${url} did not answer.`,
    )
  }
}

const endOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

async function readResponse(url: string, fetch: Fetch, maxBytes: number, signal: AbortSignal) {
  // A copy in a cache could be older than the log.
  const response = await fetch(url, { signal, cache: 'no-cache' })
  if (response.status === 404 || response.status === 410) return undefined
  if (!response.ok) throw new Refusal('unavailable', `${url} answered ${response.status}.`)
  return readBody(response, maxBytes)
}

async function readBody({ body }: Response, maxBytes: number): Promise<Bytes> {
  const chunks: Uint8Array[] = []
  const reader = body?.getReader()
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw new Refusal('response_too_large')
    }
    chunks.push(value)
  }
  return concatenate(...chunks)
}

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
// A host whose last label begins with a digit could be another spelling of an IPv4 address.
const host = `(?:(?:${label}[.])*(?![0-9])${label}|(?:${octet}[.]){3}${octet})`
const path = '(?:/(?![.]{1,2}(?:/|$))[A-Za-z0-9_.~-]+)*'
const plainUrl = new RegExp(`^https?://${host}(?::([1-9][0-9]{0,4}))?${path}$`)

/** Whether all programs read an address alike: it has no user and no query, and nothing in it has a second spelling. */
export function isPlainUrl(url: string): boolean {
  const [found, port = '0'] = plainUrl.exec(url) ?? []
  return found !== undefined && Number(port) < 65_536 && URL.canParse(url)
}

/** Whether an address is the one that the page of a post has. */
export const isPageUrl = (url: string): boolean =>
  isPlainUrl(url) && pagePathOf(url) !== '' && postAddresses(url).page === url

/** The addresses of a post’s page and of its JSON, from any address of the post. Throws a TypeError for other addresses. */
export function postAddresses(address: string): { page: string; json: string } {
  const path = pagePathOf(address)
  if (path === '') throw new TypeError('This is the address of a site, not of a post.')
  const page = `${new URL(address).origin}${path}`
  return { page, json: `${page}.json` }
}

/** The path of a post’s page. Empty if the address is that of a site. */
function pagePathOf(address: string): string {
  const { pathname } = new URL(address)
  const [, id] = /^\/v1\/posts\/([^/]+)$/.exec(pathname) ?? []
  return id ? `/p/${id}` : pathname.replace(/(\.json|\.tlog-proof|\/)$/, '').replace(/^\/$/, '')
}
