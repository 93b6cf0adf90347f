import { inTransaction } from '../platform/database.ts'
import { askForPages } from './ask-for-pages.ts'
import type { Publishing } from './publishing.ts'

/** Pages that exist before the first post does. */
export const standingPages = [
  'shelf:',
  'archive-index',
  'topics',
  'places',
  'sitemap-index',
  'deleted',
  'transparency',
] as const

/** A site that is new has them from its first start; a new version of the program writes them as it sees them. */
export async function askForStandingPages({ db, sites }: Publishing): Promise<void> {
  const atOnce = { lists: 0, others: 0 }
  await inTransaction(db, async (tx) => {
    for (const kind of sites.keys()) await askForPages(tx, kind, { lists: [], others: standingPages }, atOnce)
  })
}

/** After a day was counted: the page of every site. */
export async function askForTransparency({ db, sites, delays }: Publishing): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const kind of sites.keys()) await askForPages(tx, kind, { lists: [], others: ['transparency'] }, delays)
  })
}
