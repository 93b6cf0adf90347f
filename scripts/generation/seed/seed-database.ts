import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { showProgress } from '../../../src/bin/progress.ts'
import { connect } from '../../../src/platform/database/database.ts'
import type { RoleUrls } from '../../../tooling/services/databases.ts'
import { batchSize, entryColumns, listingColumns, postColumns, type SeedPlan, signatureColumns } from './batch.ts'
import { derivations, insertAuthors } from './derived-rows.ts'
import { type Index, readIndexes } from './indexes.ts'
import { makeBatches } from './make-batches.ts'
import { runPsql } from './run-psql.ts'
import { runTasks, type Task } from './tasks.ts'

export type Seeding = SeedPlan & { urls: RoleUrls; threads?: number }

export class HasPosts extends Error {}

/** Tables that receive COPY data, with their columns. */
const copied = {
  posts: postColumns,
  search_entries: entryColumns,
  post_signatures: signatureColumns,
  shelf_entries: listingColumns,
} as const

/**
 * Stores published posts with all rows that the service would have written for them. The posts are written in one
 * transaction; then several sessions derive the other tables and create the indexes. An interrupted run leaves an
 * incomplete database, which must be dropped.
 */
export async function seedDatabase({ urls, threads = availableParallelism(), ...plan }: Seeding): Promise<void> {
  await using owner = connect(urls.migrator, { poolMax: threads + 1, applicationName: 'seed', statementTimeoutMs: 0 })
  if (await hasPosts(owner.pool)) throw new HasPosts('the database already has posts')
  const derived = derivations(plan)
  const names = [...Object.keys(copied), ...derived.flatMap(({ tables }) => tables)]
  const indexes = await readIndexes(owner.pool, names)
  await runPsql(urls.migrator, writeScript(plan, { threads, names, indexes }))
  const fill: Task[] = derived.map(({ tables, statements }) => ({
    name: `filling ${tables.join(', ')}`,
    statements: [
      ...tables.map((table) => `alter table ${table} disable trigger user`),
      ...statements,
      ...indexes.filter(({ table }) => tables.includes(table)).map(({ definition }) => definition),
      ...tables.map((table) => `alter table ${table} enable trigger user`),
    ],
  }))
  const index: Task[] = indexes
    .filter(({ table }) => table in copied)
    .map(({ name, definition }) => ({ name: `making ${name}`, statements: [definition] }))
  await runTasks(owner.pool, { lanes: threads, tasks: [...index, ...fill] })
  const gather = [...names, 'accounts', 'balances', 'api_keys'].map((table) => ({
    name: `gathering statistics of ${table}`,
    isOutsideTransaction: true,
    statements: [`vacuum (analyze) ${table}`],
  }))
  await runTasks(owner.pool, { lanes: threads, tasks: gather })
}

async function hasPosts(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>('select exists (select from posts) as found')
  return Boolean(rows[0]?.found)
}

type Script = { threads: number; names: string[]; indexes: readonly Index[] }

async function* writeScript(plan: SeedPlan, { threads, names, indexes }: Script): AsyncGenerator<string | Uint8Array> {
  const onProgress = showProgress('writing posts')
  const copy = function* (table: keyof typeof copied, lines: string | Uint8Array) {
    if (lines.length === 0) return
    yield `copy ${table} (${copied[table]}) from stdin with (freeze);\n`
    yield lines
    yield '\\.\n'
  }
  yield 'begin;\n'
  // The tables are truncated although they are empty, so that rows can be stored as frozen and need no vacuum.
  yield `truncate ${names.join(', ')} cascade;\nalter table posts disable trigger user;\n${insertAuthors(plan)}\n`
  yield indexes.map(({ name }) => `drop index ${name};\n`).join('')
  const numberOf = countListings()
  let written = 0
  for await (const { posts, entries, signatures, listings } of makeBatches(plan, threads)) {
    yield* copy('posts', posts)
    yield* copy('search_entries', entries)
    yield* copy('post_signatures', signatures)
    yield* copy(
      'shelf_entries',
      listings.lines.map((line, at) => `${line}\t${numberOf(listings.keys[at] as string)}\n`).join(''),
    )
    written = Math.min(written + batchSize, plan.posts)
    onProgress(written, plan.posts)
  }
  yield 'alter table posts enable trigger user;\ncommit;\n'
}

/** Numbers the entries of each listing in the order in which they joined it. */
function countListings() {
  const counts = new Map<string, number>()
  return (key: string): number => {
    const number = (counts.get(key) ?? 0) + 1
    counts.set(key, number)
    return number
  }
}
