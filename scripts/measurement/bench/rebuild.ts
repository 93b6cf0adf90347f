import { mkdtempDisposable, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showProgress } from '../../../src/bin/progress.ts'
import { sitesFromSettings } from '../../../src/bin/sites.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { rebuildSite } from '../../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../../src/publishing/views.ts'
import { readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { seededDatabase } from '../../generation/seed/seeded-database.ts'
import { printTable, timed } from './harness.ts'

/** Rebuilds each site from nothing, and counts its files. */
export async function benchRebuild(args: string[]): Promise<void> {
  const { posts, threads } = readOptions(args, { posts: wholeNumber(10_000), threads: wholeNumber(2) })
  await using database = await seededDatabase(posts)
  const databaseUrl = database.urls.worker
  await using connection = connect(databaseUrl, { poolMax: 4, applicationName: 'bench', statementTimeoutMs: 0 })
  const baseUrls = Object.fromEntries(kinds.map(({ name }) => [name, `https://${name}.example`]))
  const rows: Record<string, Record<string, number>> = {}
  for (const [name, site] of siteViews(sitesFromSettings(baseUrls))) {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-bench-'))
    let built = { posts: 0, pages: 0 }
    const milliseconds = await timed(async () => {
      built = await rebuildSite({
        ...{ db: connection.db, clock: systemClock, databaseUrl, site, pages: { directory: folder.path }, threads },
        ...{ documents: new Map(), onProgress: showProgress(`rebuilding ${name}`) },
      })
    })
    const stored = await sizesIn(folder.path)
    rows[name] = {
      posts: built.posts,
      'pages a second': (built.posts + built.pages) / (milliseconds / 1_000),
      'files a post': stored.length / built.posts,
      'bytes a post': stored.reduce((sum, size) => sum + size, 0) / built.posts,
    }
  }
  printTable(`rebuild with ${threads} threads, ${posts.toLocaleString('en')} posts on all sites`, rows)
}

async function sizesIn(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size))
}
