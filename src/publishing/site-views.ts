import type { Sites } from '../posts/sites.ts'
import type { SiteView } from './views.ts'

/** Every site as its pages know it, by the name of its kind. */
export function siteViews(sites: Sites): ReadonlyMap<string, SiteView> {
  const family = [...sites.values()].map(({ kind, baseUrl }) => ({ ...kind.site, kind: kind.name, baseUrl }))
  return new Map([...sites].map(([name, { kind, baseUrl }]) => [name, { kind, baseUrl, family }]))
}
