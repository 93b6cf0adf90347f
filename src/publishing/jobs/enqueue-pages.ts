import { enqueueSoon } from '../../jobs/enqueue.ts'
import type { Kind } from '../../kinds/index.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import type { PageDelays, Publishing } from '../publishing.ts'
import { announceChanges } from './locks.ts'

/** Enqueues pages of a site. The jobs write them from the state that this transaction commits. */
export async function enqueuePages(
  tx: Transaction,
  kind: string,
  pages: { lists: readonly string[]; others: readonly string[] },
  delays: PageDelays,
): Promise<void> {
  const job = (page: string, delaySeconds: number) => ({
    payload: { kind, page },
    once: `${kind} ${page}`,
    delaySeconds,
  })
  const jobs = [
    ...pages.lists.map((page) => job(page, delays.lists)),
    ...pages.others.map((page) => job(page, delays.others)),
  ]
  const names = jobs.map(({ once }) => once)
  await announceChanges(tx, names)
  await enqueueSoon(tx, 'build-page', jobs)
}

/** Pages that exist even on a site without posts. */
export const standingPagesOf = ({ listingTypes = {}, presentation }: Kind): readonly string[] => [
  ...standingPages,
  ...Object.keys(listingTypes).filter((type) => listingTypes[type]?.index),
  ...datePagesOf({ presentation }),
]

/** Pages of kinds with times that change with the date. */
export const datePagesOf = ({ presentation }: Pick<Kind, 'presentation'>): readonly string[] =>
  presentation.occasion ? ['soon:today', 'soon:weekend'] : []

const standingPages = [
  'shelf:',
  'archive-index',
  'topics',
  'places',
  'sitemap-index',
  'deleted',
  'transparency',
] as const

/** Runs at startup: a new site gets these pages, and a new version of the program rewrites them. */
export async function enqueueStandingPages({ db, sites }: Publishing): Promise<void> {
  const atOnce = { lists: 0, others: 0 }
  await inTransaction(db, async (tx) => {
    for (const [kind, { view }] of sites)
      await enqueuePages(tx, kind, { lists: [], others: standingPagesOf(view.kind) }, atOnce)
  })
}

/** Enqueues the pages that change with the date, such as “Today”. */
export async function enqueueDatePages({ db, sites }: Publishing): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const [kind, { view }] of sites)
      await enqueuePages(tx, kind, { lists: [], others: datePagesOf(view.kind) }, { lists: 0, others: 0 })
  })
}

/** Enqueues the transparency page of every site, after a day was counted. */
export async function enqueueTransparencyPage({ db, sites, delays }: Publishing): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const kind of sites.keys()) await enqueuePages(tx, kind, { lists: [], others: ['transparency'] }, delays)
  })
}
