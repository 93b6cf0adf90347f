import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import type { Kind } from '../kinds/index.ts'

/**
 * The kinds of this deployment with the base URL of each site, by kind name. Only processes that publish posts have the
 * signer.
 */
export type Sites = ReadonlyMap<string, Site>

export type Site = { kind: Kind; baseUrl: string; signer?: PostSigner | undefined }

/** Signs public posts in this form (see `publicForm`), and commits to them in the transparency log with this origin. */
export type PostSigner = { keyId: string; privateKey: KeyObject; logOrigin: string; form: string }

export function siteOf(sites: Sites, kindName: string) {
  const site = sites.get(kindName)
  assert(site, 'a stored post has an unknown kind')
  return site
}

export const postUrl = (baseUrl: string, postId: string) => `${baseUrl}/p/${postId}`
