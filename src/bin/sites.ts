import { sitesFrom } from '../http/sites.ts'
import { type Kind, kinds } from '../kinds/index.ts'
import type { Sites } from '../posts/sites.ts'

/** The sites of a deployment, for work that concerns all of them. */
export function sitesFromSettings(baseUrls: Record<string, string>, known: readonly Kind[] = kinds): Sites {
  return new Map(sitesFrom(known, baseUrls).map(({ kind, baseUrl }) => [kind.name, { kind, baseUrl }]))
}
