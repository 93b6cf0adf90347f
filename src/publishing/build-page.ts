import assert from 'node:assert/strict'
import { inTransaction, type Transaction } from '../platform/database.ts'
import { builders } from './builders.ts'
import type { Files } from './files-of-a-post.ts'
import { awaitChanges, buildAlone } from './locks.ts'
import type { Publishing } from './publishing.ts'
import type { SiteView } from './views.ts'
import { writeFiles } from './write-files.ts'

/** Writes one page anew from what the rows say now. */
export async function buildPage(
  { db, sites, observe }: Publishing,
  { kind, page }: { kind: string; page: string },
): Promise<void> {
  const site = sites.get(kind)
  if (!site) return
  const startedAt = performance.now()
  const name = `${kind} ${page}`
  await awaitChanges(db, name)
  const files = await inTransaction(db, async (tx) => {
    await buildAlone(tx, kind, name)
    return writeFiles(site.store, await makePage(tx, site.view, page))
  })
  observe?.({ work: 'build-page', files, seconds: (performance.now() - startedAt) / 1_000 })
}

/** The files of a page, by its name. */
export function makePage(tx: Transaction, site: SiteView, page: string): Promise<Files> {
  const colon = page.indexOf(':')
  const build = builders[colon < 0 ? page : page.slice(0, colon)]
  assert(build, 'a job names a page that this program does not know')
  return build(tx, site, colon < 0 ? '' : page.slice(colon + 1))
}
