// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { kinds } from '../../src/kinds/index.ts'
import { rebuildSite } from '../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../src/publishing/views.ts'
import { startService } from '../../tooling/environment/service.ts'
import { runInParts, times } from '../../tooling/test-length.ts'
import { compareTrees, filesBelow } from '../support/pages/compare-trees.ts'
import { pageHistory } from '../support/pages/page-history.ts'

const steps = times({ whole: 5_000, short: 200 })

test(`Invariant 9: after up to ${steps} random publishes, edits, removals, deletions and expiries, a rebuild gives the same bytes`, async (t) => {
  await using service = await startService({ judges: true, pageDelays: { lists: 0.2, others: 0.5 } })
  const { id } = await service.createAccount()
  const others = new Set<string>()
  for (const { site } of kinds)
    for (const path of await filesBelow(join(service.pagesDirectory, site.slug))) others.add(`${site.slug}/${path}`)
  const history = pageHistory(service, kinds, id, 20_261_115)
  const done = await runInParts(steps, 100, history.go)
  await service.settle()
  t.diagnostic(`${done} steps: ${JSON.stringify(history.counts)}`)
  let posts = 0
  for (const site of siteViews(sitesFromSettings(service.baseUrls)).values()) {
    const { slug } = site.kind.site
    const incremental = join(service.pagesDirectory, `${slug}-incremental`)
    await cp(join(service.pagesDirectory, slug), incremental, { recursive: true, dereference: true })
    const rebuilt = await rebuildSite({
      ...{ db: service.workerDb, clock: service.clock, databaseUrl: service.database.urls.worker },
      // Each thread loads the program, which takes longer than its pages.
      ...{ site, pages: service.pages, threads: 1, documents: new Map(), onProgress: () => {} },
      linksNothing: true,
    })
    const compared = await compareTrees(incremental, join(service.pagesDirectory, slug))
    const { files } = compared
    const different = compared.different.filter((path) => !others.has(`${slug}/${path}`))
    t.diagnostic(`${slug}: ${files} files, ${rebuilt.posts} posts and ${rebuilt.pages} pages rebuilt`)
    assert.deepEqual(different.slice(0, 10), [], `of ${different.length} files`)
    assert.ok(files > rebuilt.posts)
    posts += rebuilt.posts
  }
  // A site can have few of them by chance.
  assert.ok(posts > done / 4, `${posts} posts`)
})
