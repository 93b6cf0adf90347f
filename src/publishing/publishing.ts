import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { openCounter, openHistogram } from '../platform/observability/instruments.ts'
import type { Pages } from '../platform/page-store/open-pages.ts'
import type { SiteStore } from '../platform/page-store/site-store.ts'
import type { PostSigner, Sites } from '../posts/sites.ts'
import type { RequestPurges } from './jobs/cdn-purges.ts'
import { type SiteView, siteViews } from './views.ts'

export type PublishedSite = {
  view: SiteView
  store: SiteStore
  /** Signs posts that have no signature. Only workers have it. */
  signer?: PostSigner | undefined
}

export type PageDelays = { lists: number; others: number }

/**
 * Listings have a shorter delay than archive pages, because feed readers poll them. The minimum is one second, because
 * a web server compares file times in whole seconds.
 */
const usualDelays: PageDelays = { lists: 1, others: 3 }

/** Some object stores accept one write of an object per second, and each write costs money. */
const objectDelays: PageDelays = { lists: 3, others: 8 }

/** The dependencies for writing pages. */
export type Publishing = {
  db: Database
  clock: Clock
  sites: ReadonlyMap<string, PublishedSite>
  /** How many seconds to collect changes to a page before it is written. */
  delays: PageDelays
  /** Tells a CDN which files have changed. Without it, there is no CDN. */
  requestPurges?: RequestPurges | undefined
  /** Called after every publication, every update of listings and every page build. */
  observe?: (done: PageWork) => void
}

type Parts = { db: Database; clock: Clock; sites: Sites; pages: Pages; delays?: PageDelays | undefined }

/** Opens every site in the page store. */
export async function openPublishing(parts: Parts): Promise<Publishing> {
  const { db, clock, sites, pages } = parts
  const opened = new Map<string, PublishedSite>()
  for (const [name, view] of siteViews(sites))
    opened.set(name, {
      view,
      store: await pages.openSite(view.kind.site.slug),
      signer: sites.get(name)?.signer,
    })
  const delays = parts.delays ?? (pages.client ? objectDelays : usualDelays)
  return { db, clock, sites: opened, delays }
}

export type PageWork = {
  work: 'publish-post' | 'list-post' | 'build-page'
  files: number
  seconds: number
  /** The time since the submission, for a new post that no person reviewed. */
  publicationSeconds?: number | undefined
}

/** Counts files and durations, so that operators can see that the cost of publishing does not grow with the archive. */
export function pageObserver() {
  const files = openCounter('pages.files')
  const seconds = openHistogram('pages.seconds')
  const publication = openHistogram('posts.publication.duration')
  return (done: PageWork) => {
    files.add(done.files, { work: done.work })
    seconds.record(done.seconds, { work: done.work })
    if (done.publicationSeconds !== undefined) publication.record(done.publicationSeconds)
  }
}
