import assert from 'node:assert/strict'
import type { Kind } from '../kinds/index.ts'

/** The kinds of this deployment with the base URL of each site, by kind name. */
export type Sites = ReadonlyMap<string, { kind: Kind; baseUrl: string }>

export function siteOf(sites: Sites, kindName: string) {
  const site = sites.get(kindName)
  assert(site, 'a stored post has an unknown kind')
  return site
}

export const postUrl = (baseUrl: string, postId: string) => `${baseUrl}/p/${postId}`
