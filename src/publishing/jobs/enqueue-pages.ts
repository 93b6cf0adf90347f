import { enqueueSoon } from '../../jobs/enqueue.ts'
import type { Kind } from '../../kinds/index.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import type { PageDelays, Publishing } from '../publishing.ts'
import { announceChanges } from './locks.ts'

export type ChangedPages = { lists: readonly string[]; others: readonly string[] }

/** Enqueues pages of a site. The jobs write them from the state that this transaction commits. */
export const enqueuePages = (tx: Transaction, kind: string, pages: ChangedPages, delays: PageDelays): Promise<void> =>
  enqueuePagesOfSites(tx, new Map([[kind, pages]]), delays)

/** The same for several sites, by kind: at once, so that transactions that change pages of the same sites do not deadlock. */
export async function enqueuePagesOfSites(
  tx: Transaction,
  changed: ReadonlyMap<string, ChangedPages>,
  delays: PageDelays,
): Promise<void> {
  const jobs = [...changed].flatMap(([kind, { lists, others }]) => {
    const job = (delaySeconds: number) => (page: string) => ({
      payload: { kind, page },
      once: `${kind} ${page}`,
      delaySeconds,
    })
    return [...lists.map(job(delays.lists)), ...others.map(job(delays.others))]
  })
  await announceChanges(
    tx,
    jobs.map(({ once }) => once),
  )
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
  'keys',
] as const

/** Runs at startup: a new site gets these pages, and a new version of the program rewrites them. */
export const enqueueStandingPages = (publishing: Publishing): Promise<void> =>
  enqueueOnEverySite(publishing, standingPagesOf, atOnce)

/** Enqueues the pages that change with the date, such as “Today”. */
export const enqueueDatePages = (publishing: Publishing): Promise<void> =>
  enqueueOnEverySite(publishing, datePagesOf, atOnce)

/** Enqueues the transparency page of every site, after a day was counted. */
export const enqueueTransparencyPage = (publishing: Publishing): Promise<void> =>
  enqueueOnEverySite(publishing, () => ['transparency'], publishing.delays)

const atOnce = { lists: 0, others: 0 }

function enqueueOnEverySite(
  { db, sites }: Publishing,
  pagesOf: (kind: Kind) => readonly string[],
  delays: PageDelays,
): Promise<void> {
  const pages = new Map([...sites].map(([name, { view }]) => [name, { lists: [], others: pagesOf(view.kind) }]))
  return inTransaction(db, (tx) => enqueuePagesOfSites(tx, pages, delays))
}
