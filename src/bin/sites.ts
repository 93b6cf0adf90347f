import { sitesFrom } from '../http/sites.ts'
import { type Kind, kinds } from '../kinds/index.ts'
import type { Sites } from '../posts/sites.ts'

/** The deployment's sites, by the name of their kind. */
export function sitesFromSettings(baseUrls: Record<string, string>, known: readonly Kind[] = kinds): Sites {
  return new Map(sitesFrom(known, baseUrls).map(({ kind, baseUrl }) => [kind.name, { kind, baseUrl }]))
}
