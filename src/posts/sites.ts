import assert from 'node:assert/strict'
import type { Kind } from '../kinds/index.ts'

/** The kinds that this deployment takes, with the address of each one's site, by the kind's name. */
export type Sites = ReadonlyMap<string, { kind: Kind; baseUrl: string }>

export function siteOf(sites: Sites, kindName: string) {
  const site = sites.get(kindName)
  assert(site, 'a stored post is of a kind that this program does not know')
  return site
}

export const postUrl = (baseUrl: string, postId: string) => `${baseUrl}/p/${postId}`
