import { enqueueSoon } from '../jobs/enqueue.ts'
import type { Transaction } from '../platform/database.ts'
import { announceChanges } from './locks.ts'
import type { PageDelays } from './publishing.ts'

/** Asks for pages of a site to be written from what is there when this transaction has ended. */
export async function askForPages(
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
