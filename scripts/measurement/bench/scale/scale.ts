import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../../../../src/platform/database/database.ts'
import { stateDir } from '../../../../tooling/services/state.ts'
import { measurePublications } from '../pages/pages.ts'
import { barsOf } from './bars.ts'
import { openScalePlace, openSizedDatabase } from './place.ts'
import { measureDesk, measureLists, measureSearches, measureTables } from './read-measures.ts'
import { printResults } from './report.ts'
import { describeRun, type ScaleResult } from './results.ts'
import { measureStoredFiles } from './stored-files.ts'
import { measureDeliveries, measureRebuild, measureSubmissions, type Sized } from './write-measures.ts'

const help = `Usage: npm run bench -- scale [--sizes 10000,300000,3000000] [--keep] [--only NAME,NAME] [--seconds N] [--rounds N]

Measures submit, publish, browse, search, desk, delivery, rebuild and bytes per post at several sizes, in turns.

  --sizes N,N      numbers of posts, smallest first
  --keep           use existing databases broadside_seed_N, whatever code created them
  --only NAME,…    of: tables, read (browse, search, desk), publish, submit, delivery, rebuild
  --seconds N      length of each measurement (default: 8)
  --rounds N       repetitions of each measurement that are interleaved (default: 3)
  --output FILE    the measurements as JSON (default: scale.json in the state directory)`

const parts = ['tables', 'read', 'publish', 'submit', 'delivery', 'rebuild'] as const
type Part = (typeof parts)[number]

export async function benchScale(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '10000,300000,3000000' },
      keep: { type: 'boolean', default: false },
      only: { type: 'string', default: parts.join(',') },
      seconds: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '3' },
      deliveries: { type: 'string', default: '2000' },
      output: { type: 'string', default: join(stateDir(), 'scale.json') },
    },
  })
  const limits = { seconds: Number(values.seconds), rounds: Number(values.rounds) }
  const counts = values.sizes.split(',').map(Number)
  if (counts.some((count) => !Number.isSafeInteger(count) || count < 1)) throw new Error(help)
  const asked = new Set(values.only.split(','))
  const wants = (part: Part) => asked.has(part)
  const sizes: Sized[] = []
  for (const posts of counts.toSorted((one, other) => one - other))
    sizes.push({ database: await openSizedDatabase(posts, values), result: { posts } })
  const result: ScaleResult = { ...describeRun(args, new Date()), sizes: sizes.map((size) => size.result) }
  const save = () => {
    mkdirSync(dirname(values.output), { recursive: true })
    writeFileSync(values.output, `${JSON.stringify(result, null, 2)}\n`)
  }
  // Sizes come first: the other measurements add rows.
  if (wants('tables')) await measureAllTables(sizes)
  save()
  if (wants('read') || wants('publish')) await measureService(sizes, wants, { ...limits, save })
  if (wants('submit')) await measureSubmissions(sizes, limits)
  save()
  if (wants('delivery')) await measureDeliveries(sizes, Number(values.deliveries), limits.rounds)
  save()
  if (wants('rebuild')) for (const size of sizes) await measureRebuild(size, limits.seconds * 3)
  save()
  printResults(result, barsOf(result))
  console.log(`\nThe measurements are in ${values.output}.`)
}

async function measureAllTables(sizes: readonly Sized[]): Promise<void> {
  for (const { database, result } of sizes) {
    await using owner = connect(database.urls.migrator, { poolMax: 1, applicationName: 'bench', statementTimeoutMs: 0 })
    result.tables = await measureTables(owner.pool, result.posts)
    result.files = await measureStoredFiles(database)
  }
}

/** Fewer than the model can judge on two shared cores. */
const publicationsPerSecond = 5

async function measureService(
  sizes: readonly Sized[],
  wants: (part: Part) => boolean,
  limits: { seconds: number; rounds: number; save: () => void },
) {
  await using stack = new AsyncDisposableStack()
  const publications = limits.seconds * publicationsPerSecond * limits.rounds
  const places = []
  for (const { database, result } of sizes) {
    const place = await openScalePlace(stack, database, publications)
    const { pool } = stack.use(
      connect(database.urls.migrator, { poolMax: 1, applicationName: 'bench', statementTimeoutMs: 0 }),
    )
    places.push({ place, result, pool })
  }
  if (wants('publish'))
    for (let round = 0; round < limits.rounds; round++)
      for (const { place, result } of places) {
        const load = { seconds: limits.seconds, rate: publicationsPerSecond }
        const seen = await measurePublications(place.environment, place.apiKeys, load)
        const earlier = result.publish
        const smaller = earlier && earlier.msPerPublication < seen.ms_per_publication ? earlier : undefined
        // Of several rounds the fastest counts: a busy machine only adds time.
        result.publish = smaller ?? {
          page: seen.page_ms,
          msPerPublication: seen.ms_per_publication,
          filesPerPublication: seen.files_per_publication,
        }
      }
  limits.save()
  if (!wants('read')) return
  await measureLists(places)
  limits.save()
  await measureDesk(places)
  limits.save()
  await measureSearches(places, limits.seconds)
  limits.save()
}
