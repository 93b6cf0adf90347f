import { type Bytes, concatenate } from './bytes.ts'
import { Refusal } from './refusal.ts'

export type Fetch = (url: string, init?: { signal?: AbortSignal; cache?: 'no-cache' }) => Promise<Response>

/** Larger than any post, document of keys, proof or bundle of entries. A compressed response can grow without end. */
const maxResponseBytes = 16 * 2 ** 20
const timeoutMilliseconds = 20_000

/** The body at an address; undefined if nothing is there. Refuses with `unavailable` if no answer comes. */
export async function readUrl(url: string, fetch: Fetch): Promise<Bytes | undefined> {
  try {
    // A copy in a cache could be older than the log.
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMilliseconds), cache: 'no-cache' })
    if (response.status === 404 || response.status === 410) return undefined
    if (!response.ok) throw new Refusal('unavailable', `${url} answered ${response.status}.`)
    return await readBody(response)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('unavailable', `${url} did not answer.`)
  }
}

async function readBody({ body }: Response): Promise<Bytes> {
  const chunks: Uint8Array[] = []
  const reader = body?.getReader()
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxResponseBytes) {
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
  isPlainUrl(url) && new URL(url).pathname !== '/' && postAddresses(url).page === url

/** The addresses of a post’s page and of its JSON, from any address of the post. */
export function postAddresses(address: string): { page: string; json: string } {
  const { origin, pathname } = new URL(address)
  const [, id] = /^\/v1\/posts\/([^/]+)$/.exec(pathname) ?? []
  const page = `${origin}${id ? `/p/${id}` : pathname.replace(/(\.json|\.tlog-proof|\/)$/, '')}`
  return { page, json: `${page}.json` }
}
