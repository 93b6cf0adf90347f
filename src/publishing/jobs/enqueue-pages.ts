import { enqueueSoon } from '../../jobs/enqueue.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import type { PageDelays, Publishing } from '../publishing.ts'
import { announceChanges } from './locks.ts'

/** Enqueues pages of a site, to be written from the state after this transaction. */
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

/** Pages that exist before the first post. */
export const standingPages = [
  'shelf:',
  'archive-index',
  'topics',
  'places',
  'sitemap-index',
  'deleted',
  'transparency',
] as const

/** A new site gets them at its first start; a new version of the program rewrites them. */
export async function enqueueStandingPages({ db, sites }: Publishing): Promise<void> {
  const atOnce = { lists: 0, others: 0 }
  await inTransaction(db, async (tx) => {
    for (const kind of sites.keys()) await enqueuePages(tx, kind, { lists: [], others: standingPages }, atOnce)
  })
}

/** After a day was counted: the page of every site. */
export async function enqueueTransparencyPage({ db, sites, delays }: Publishing): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const kind of sites.keys()) await enqueuePages(tx, kind, { lists: [], others: ['transparency'] }, delays)
  })
}
