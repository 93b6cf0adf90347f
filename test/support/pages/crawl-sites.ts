import assert from 'node:assert/strict'
import { inParallel } from '../../../tooling/in-parallel.ts'
import { linksIn } from './links-in.ts'

/** The response from one address, and where that address was first found. */
export type Visit = {
  url: string
  foundOn: string
  status: number
  headers: Headers
  /** With its parameters, as sent. */
  type: string
  text: string
  /** As transferred: compressed if the gateway has a compressed form. */
  sentBytes: number
  links: readonly string[]
}

export type Walk = {
  visits: ReadonlyMap<string, Visit>
  /** Every link found, with its fragment if it has one. */
  links: readonly { from: string; to: string }[]
}

/** Visits these addresses and, from there, every linked address of these origins, once each. */
export async function walkSites(origins: ReadonlySet<string>, starts: readonly string[]): Promise<Walk> {
  const visits = new Map<string, Visit>()
  const links: { from: string; to: string }[] = []
  const known = new Set(starts)
  let next = starts.map((url) => ({ url, foundOn: 'the start' }))
  while (next.length > 0) {
    const arrived = await inParallel(next, ({ url, foundOn }) => visit(url, foundOn))
    for (const one of arrived) {
      visits.set(one.url, one)
      links.push(...one.links.map((to) => ({ from: one.url, to })))
    }
    next = arrived.flatMap(({ url: foundOn, links: found }) =>
      found
        .filter((link) => origins.has(originOf(link)))
        .map(withoutFragment)
        .filter((url) => !known.has(url) && known.add(url))
        .map((url) => ({ url, foundOn })),
    )
  }
  return { visits, links }
}

export async function visit(url: string, foundOn: string, headers: Record<string, string> = {}): Promise<Visit> {
  const response = await fetch(url, {
    headers: { 'accept-encoding': 'br, gzip', ...headers },
    // A link to our own address that only redirects is wrong.
    redirect: 'manual',
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const sentBytes = Number(response.headers.get('content-length') ?? Buffer.byteLength(text))
  const { status } = response
  const links = status === 200 ? linksIn({ url, type, text, headers: response.headers }) : []
  return { url, foundOn, status, headers: response.headers, type, text, sentBytes, links }
}

export const withoutFragment = (url: string): string => url.split('#')[0] as string

const originOf = (url: string) => URL.parse(url)?.origin ?? ''

/** Runs a check on each, and fails with the first ten errors. */
export function assertEach(all: readonly Visit[], check: (one: Visit) => void): void {
  assert.ok(all.length > 0)
  const faults = all.flatMap((one) => {
    try {
      check(one)
      return []
    } catch (error) {
      return [`${one.url}: ${(error as Error).message}`]
    }
  })
  assert.deepEqual(faults.slice(0, 10), [], `${faults.length} of ${all.length}`)
}
