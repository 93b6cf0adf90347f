import { join } from 'node:path'
import { openDirectorySite } from './directory-site.ts'
import { openPageStore } from './page-store.ts'
import { openConditionalWrites } from './s3/conditional-writes.ts'
import { openS3Client, type S3Bucket, type S3Client } from './s3/s3-client.ts'
import { openS3Site, s3SiteReader } from './s3/s3-site.ts'
import type { PageStore, SiteStore } from './site-store.ts'

/** Where the pages of all sites are. A worker thread can get it as a message. */
export type PagesPlace =
  | { directory: string }
  | {
      s3: S3Bucket
      /** How long an old tree stays after a swap, for gateways that still read it. */
      keepsOldTreesMs?: number
    }

/** The sites in a page store. */
export type Pages = AsyncDisposable & {
  /** Opens a site, and creates it if it does not exist. Each site is opened once. */
  openSite: (name: string) => Promise<SiteStore>
  /** The live tree of a site that may not exist. Creates nothing. */
  siteReader: (name: string) => Pick<PageStore, 'read' | 'has'>
  /** The client of an object store. */
  client: S3Client | undefined
}

const usualKeepMs = 60_000

export function openPages(place: PagesPlace): Pages {
  const { openSite, ...pages } = 'directory' in place ? inDirectory(place.directory) : inBucket(place)
  const opened = new Map<string, Promise<SiteStore>>()
  return {
    ...pages,
    openSite: (name) => {
      const site = opened.get(name) ?? openSite(name)
      opened.set(name, site)
      // The next call tries again.
      site.catch(() => opened.delete(name))
      return site
    },
  }
}

const inDirectory = (directory: string): Pages => ({
  openSite: (name) => openDirectorySite(directory, name),
  siteReader: (name) => openPageStore(join(directory, name)),
  client: undefined,
  [Symbol.asyncDispose]: async () => {},
})

function inBucket({ s3, keepsOldTreesMs = usualKeepMs }: Extract<PagesPlace, { s3: S3Bucket }>): Pages {
  const client = openS3Client(s3)
  const parts = { client, writes: openConditionalWrites(client), memory: new Map() }
  return {
    openSite: (name) => openS3Site(parts, name, keepsOldTreesMs),
    siteReader: (name) => s3SiteReader(parts, name),
    client,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}
