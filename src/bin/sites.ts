import { type Kind, kinds } from '../kinds/index.ts'
import { baseUrlsOf, type Sites } from '../posts/sites.ts'

/** The deployment's sites, by the name of their kind. */
export function sitesFromSettings(baseUrls: Record<string, string>, known: readonly Kind[] = kinds): Sites {
  return new Map(baseUrlsOf(known, baseUrls).map((site) => [site.kind.name, site]))
}
