import type { Operation } from '../contract/define-operation.ts'
import type { Kind } from '../kinds/index.ts'
import { operationsOf } from '../operations.ts'
import { baseUrlsOf } from '../posts/sites.ts'

export type HttpSite = { kind: Kind; baseUrl: string; host: string; operations: readonly Operation[] }

/** The configured sites with their operations. */
export const sitesFrom = (kinds: readonly Kind[], baseUrls: Record<string, string>): HttpSite[] =>
  baseUrlsOf(kinds, baseUrls).map(({ kind, baseUrl }) => ({
    kind,
    baseUrl,
    host: new URL(baseUrl).host,
    operations: operationsOf(kind, kinds),
  }))

/** A host and its operations: a site, or the owner page, which serves only the owner's operations. */
export type HttpHost = {
  /** The routing constraint that separates its routes from those of other hosts. */
  name: string
  host: string
  operations: readonly Operation[]
  /** The site itself. For the owner page: the first site, which has the pages that problems link to. */
  site: HttpSite
  isOwnerPage: boolean
}

export const ownerPlace = 'owner page'

export function placesOf(sites: readonly HttpSite[], accountPageUrl: string): HttpHost[] {
  const places = sites.map((site) => ({ ...site, name: site.kind.name, site, isOwnerPage: false }))
  const [first] = sites
  if (!first) return places
  const operations = first.operations.filter(({ access }) => access === 'owner')
  const { host } = new URL(accountPageUrl)
  return [{ name: ownerPlace, host, operations, site: first, isOwnerPage: true }, ...places]
}

/** Finds a host by the Host header, which is case-insensitive and includes the port. */
export function hostFinder(places: readonly HttpHost[]): (host: string | undefined) => HttpHost | undefined {
  const byHost = new Map(places.map((place) => [place.host, place]))
  return (host) => (host === undefined ? undefined : byHost.get(host.toLowerCase()))
}

/** The methods of a path on this host, for the Allow header; empty if the path is unknown. */
export function methodsOf(place: HttpHost, path: string): string[] {
  const operations = place.operations.filter((operation) => isPathOf(operation, path))
  const methods = operations.map(({ method }) => method as string)
  return operations.some(takesHead) ? [...methods, 'HEAD'] : methods
}

/**
 * HEAD is not offered for metered operations: callers would be charged or lose allowance without getting a body. Nor for
 * streams.
 */
export const takesHead = ({ method, allowance, answersStream }: Operation): boolean =>
  method === 'GET' && !allowance && !answersStream

/** Whether the operation is at this path, with any method. */
export const isPathOf = ({ path: template }: Operation, path: string): boolean =>
  new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`).test(path)
