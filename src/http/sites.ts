import type { Operation } from '../contract/define-operation.ts'
import type { Kind } from '../kinds/index.ts'
import { operationsOf } from '../operations.ts'
import { SettingsError } from '../platform/settings.ts'

export type Site = { kind: Kind; baseUrl: string; host: string; operations: readonly Operation[] }

/** The configured sites. A kind without an address, or an address without a kind, ends the start. */
export function sitesFrom(kinds: readonly Kind[], baseUrls: Record<string, string>): Site[] {
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

/** Host names are compared without case; the port belongs to the name. */
export function siteFinder(sites: readonly Site[]): (host: string | undefined) => Site | undefined {
  const byHost = new Map(sites.map((site) => [site.host, site]))
  return (host) => (host === undefined ? undefined : byHost.get(host.toLowerCase()))
}

/** The methods that a path takes on a site, for the Allow header; empty when the path is unknown. */
export function methodsOf(site: Site, path: string): string[] {
  const operations = site.operations.filter((operation) => matches(operation.path, path))
  const methods = operations.map(({ method }) => method as string)
  return operations.some(takesHead) ? [...methods, 'HEAD'] : methods
}

/** What is counted, and may be charged, is not done for an answer that nobody reads. */
export const takesHead = ({ method, allowance }: Operation): boolean => method === 'GET' && !allowance

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`).test(path)
