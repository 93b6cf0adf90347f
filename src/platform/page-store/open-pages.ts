import { join } from 'node:path'
import { openDirectorySite } from './directory-site.ts'
import { openPageStore } from './page-store.ts'
import type { PageStore, SiteStore } from './site-store.ts'

/** Where the pages of all sites are. A worker thread can get it as a message. */
export type PagesPlace = { directory: string }

/** The sites in a page store. */
export type Pages = AsyncDisposable & {
  /** Opens a site, and creates it if it does not exist. Each site is opened once. */
  openSite: (name: string) => Promise<SiteStore>
  /** The live tree of a site that may not exist. Creates nothing. */
  siteReader: (name: string) => Pick<PageStore, 'read' | 'has'>
}

export function openPages(place: PagesPlace): Pages {
  const open = (name: string) => openDirectorySite(place.directory, name)
  const opened = new Map<string, Promise<SiteStore>>()
  return {
    openSite: (name) => {
      const site = opened.get(name) ?? open(name)
      opened.set(name, site)
      return site
    },
    siteReader: (name) => openPageStore(join(place.directory, name)),
    [Symbol.asyncDispose]: async () => {},
  }
}
