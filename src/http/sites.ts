import type { Operation } from '../contract/define-operation.ts'
import type { Kind } from '../kinds/index.ts'
import { operationsOf } from '../operations.ts'
import { SettingsError } from '../platform/settings/settings.ts'

export type HttpSite = { kind: Kind; baseUrl: string; host: string; operations: readonly Operation[] }

/** The configured sites. A kind without an address, or an address without a kind, ends the start. */
export function sitesFrom(kinds: readonly Kind[], baseUrls: Record<string, string>): HttpSite[] {
  const unknown = Object.keys(baseUrls).filter((name) => !kinds.some((kind) => kind.name === name))
  const missing = kinds.filter(({ name }) => !baseUrls[name]).map(({ name }) => name)
  if (unknown.length + missing.length > 0)
    throw new SettingsError(
      `SITES must name every kind once. Missing: ${missing.join(', ') || '-'}; unknown: ${unknown.join(', ') || '-'}.`,
    )
  if (new Set(Object.values(baseUrls).map((url) => new URL(url).host)).size < kinds.length)
    throw new SettingsError('SITES must give every kind a host of its own: the host decides which site is called.')
  return kinds.map((kind) => {
    const baseUrl = String(baseUrls[kind.name])
    return { kind, baseUrl, host: new URL(baseUrl).host, operations: operationsOf(kind, kinds) }
  })
}

/** What a host name stands for: a site, or the owner page, where the owner's operations are served and no others. */
export type HttpHost = {
  /** By which its routes are told from those of the others. */
  name: string
  host: string
  operations: readonly Operation[]
  /** The site itself; for the owner page the first one, which has the pages that problems lead to. */
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

/** Host names are compared without case; the port belongs to the name. */
export function hostFinder(places: readonly HttpHost[]): (host: string | undefined) => HttpHost | undefined {
  const byHost = new Map(places.map((place) => [place.host, place]))
  return (host) => (host === undefined ? undefined : byHost.get(host.toLowerCase()))
}

/** The methods that a path takes there, for the Allow header; empty when the path is unknown. */
export function methodsOf(place: HttpHost, path: string): string[] {
  const operations = place.operations.filter((operation) => matches(operation.path, path))
  const methods = operations.map(({ method }) => method as string)
  return operations.some(takesHead) ? [...methods, 'HEAD'] : methods
}

/** What is counted, and may be charged, is not done for an answer that nobody reads. */
export const takesHead = ({ method, allowance }: Operation): boolean => method === 'GET' && !allowance

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`).test(path)
