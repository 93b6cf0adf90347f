// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { openPageStore } from '../../src/platform/page-store/page-store.ts'
import { readChanges } from '../../src/publishing/rebuild/catch-up.ts'
import { type Rebuild, rebuildSite } from '../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../src/publishing/views.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { times } from '../../tooling/test-length.ts'
import { compareTrees } from '../support/pages/compare-trees.ts'
import { pageHistory } from '../support/pages/page-history.ts'
import { kindNamed } from '../support/posts/create-post.ts'

const event = kindNamed('event')
let service: Service
let history: ReturnType<typeof pageHistory>
before(async () => {
  service = await startService({ judges: true, pageDelays: { lists: 0.2, others: 0.5 } })
  history = pageHistory(service, [event], (await service.createAccount()).id, 7)
  await history.go(times({ whole: 150, short: 60 }))
  await service.settle()
})
after(() => service[Symbol.asyncDispose]())

function rebuild(changes: Partial<Rebuild> = {}) {
  const site = siteViews(sitesFromSettings(service.baseUrls)).get(event.name)
  assert(site)
  return rebuildSite({
    ...{ db: service.workerDb, clock: service.clock, databaseUrl: service.database.urls.worker },
    ...{ site, pages: service.pages, threads: 1, documents: new Map(), onProgress: () => {} },
    ...changes,
  })
}
const live = () => join(service.pagesDirectory, event.site.slug)

test('a killed rebuild continues where it stopped', async () => {
  const broken = connect(service.database.urls.worker, { poolMax: 4, applicationName: 'to be killed' })
  let calls = 0
  const onProgress = () => {
    if (++calls === 2) throw new Error('killed')
  }
  await assert.rejects(rebuild({ db: broken.db, onProgress }), /killed/)
  await broken[Symbol.asyncDispose]()
  const first = await rebuild()
  assert.equal(first.isResumed, true)
  const second = await rebuild()
  assert.equal(second.isResumed, false)
  assert.ok(first.posts < second.posts, `${first.posts} posts were left of ${second.posts}`)
})

test('changes during a rebuild are in the resulting tree, with the given documents and without any other tree', async () => {
  const documents = new Map([['docs/index.html', 'Documents.']])
  const rebuilding = rebuild({ documents, threads: 2 })
  let isSwapped = false
  const swap = rebuilding.finally(() => {
    isSwapped = true
  })
  // The changes go on until after the swap: just before it, files are written whose lists are not.
  do await history.go(10)
  while (!isSwapped)
  await swap
  await history.go(10)
  await service.settle()
  const target = join(service.pagesDirectory, 'kept')
  await cp(live(), target, { recursive: true, dereference: true })
  await rebuild({ documents })
  const { files, different } = await compareTrees(target, live())
  assert.deepEqual(different, [], `of ${files}`)
  const store = openPageStore(live())
  assert.equal(String(await store.read('docs/index.html')), 'Documents.')
  assert.ok(await store.has('index.html'))
  const trees = (await readdir(join(service.pagesDirectory, '.trees'))).filter((name) =>
    name.startsWith(event.site.slug),
  )
  assert.equal(trees.length, 1)
})

test('the pages beside a changed page of a list are written again', async () => {
  const path = 'topics/neighbours'
  const undone = inTransaction(service.workerDb, async (tx) => {
    await sql`insert into shelves (kind, path, listed, standing, version, last_number)
      values (${event.name}, ${path}, 80, 80, 1, 80)`.execute(tx)
    await sql`insert into listing_pages (kind, path, number, listed, version, changed_at)
      select ${event.name}, ${path}, number, case number when 3 then 0 else 20 end, case number when 2 then 1000000000 else 1 end, now()
      from generate_series(1, 5) as number`.execute(tx)
    const { pages } = await readChanges(tx, event, 999_999_999)
    throw new Error(
      pages
        .filter((page) => page.startsWith('listing-page:'))
        .sort()
        .join(' '),
    )
  })
  const of = (number: number) => `listing-page:${path}/${number}`
  await assert.rejects(undone, { message: [1, 2, 4].map(of).join(' ') })
})
