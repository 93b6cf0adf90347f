import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import type { Kind } from '../kinds/index.ts'
import { SettingsError } from '../platform/settings/settings.ts'

/**
 * The kinds of this deployment with the base URL of each site, by kind name. Only processes that publish posts have the
 * signer.
 */
export type Sites = ReadonlyMap<string, Site>

export type Site = { kind: Kind; baseUrl: string; signer?: PostSigner | undefined }

/** Signs public posts, and commits to them in the transparency log with this origin. */
export type PostSigner = { keyId: string; privateKey: KeyObject; logOrigin: string }

/** The base URL of each kind. Throws if a kind has no URL, a URL has no kind, or two kinds share a host. */
export function baseUrlsOf(
  kinds: readonly Kind[],
  baseUrls: Record<string, string>,
): { kind: Kind; baseUrl: string }[] {
  const unknown = Object.keys(baseUrls).filter((name) => !kinds.some((kind) => kind.name === name))
  const missing = kinds.filter(({ name }) => !baseUrls[name]).map(({ name }) => name)
  if (unknown.length + missing.length > 0)
    throw new SettingsError(
      `SITES must name every kind exactly once. Missing: ${missing.join(', ') || '-'}; unknown: ${unknown.join(', ') || '-'}.`,
    )
  if (new Set(Object.values(baseUrls).map((url) => new URL(url).host)).size < kinds.length)
    throw new SettingsError('SITES must give every kind a different host: the host determines the site.')
  return kinds.map((kind) => ({ kind, baseUrl: String(baseUrls[kind.name]) }))
}

export function siteOf(sites: Sites, kindName: string) {
  const site = sites.get(kindName)
  assert(site, 'a stored post has an unknown kind')
  return site
}

export const postUrl = (baseUrl: string, postId: string) => `${baseUrl}/p/${postId}`
