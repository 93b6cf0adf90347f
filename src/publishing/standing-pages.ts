import { enqueueSoon } from '../jobs/enqueue.ts'
import { inTransaction } from '../platform/database.ts'
import type { Publishing } from './publishing.ts'

/** Pages that exist before the first post does. */
export const standingPages = ['shelf:', 'archive-index', 'topics', 'places', 'sitemap-index', 'deleted'] as const

/** A site that is new has them from its first start; a new version of the program writes them as it sees them. */
export async function askForStandingPages({ db, sites }: Publishing): Promise<void> {
  const jobs = [...sites.keys()].flatMap((kind) =>
    standingPages.map((page) => ({ payload: { kind, page }, once: `${kind} ${page}` })),
  )
  await inTransaction(db, (tx) => enqueueSoon(tx, 'build-page', jobs, 0))
}
