import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { showProgress } from '../../../src/bin/progress.ts'
import { connect } from '../../../src/platform/database/database.ts'
import type { RoleUrls } from '../../../tooling/services/databases.ts'
import { batchSize, entryColumns, listingColumns, makeBatch, postColumns, type SeedPlan } from './batch.ts'
import { derivations, insertAuthors } from './derived-rows.ts'
import { readPlaces } from './places.ts'
import { signatureColumns } from './signatures.ts'
import { makeVocabulary } from './vocabulary.ts'

export class HasPosts extends Error {}

/** Tables that receive COPY data, with their columns. */
const copied = {
  posts: postColumns,
  search_entries: entryColumns,
  post_signatures: signatureColumns,
  shelf_entries: listingColumns,
} as const

/** Sessions that fill tables and create indexes. More would need too much memory. */
const sessions = 2

/**
 * Stores published posts with all rows that the service would have written for them. The posts are written in one
 * transaction; then two sessions derive the other tables and create the indexes. An interrupted run leaves an incomplete
 * database, which must be dropped.
 */
export async function seedDatabase({ urls, ...plan }: SeedPlan & { urls: RoleUrls }): Promise<void> {
  await using owner = connect(urls.migrator, { poolMax: sessions, applicationName: 'seed', statementTimeoutMs: 0 })
  const { rows: posts } = await owner.pool.query('select from posts limit 1')
  if (posts.length > 0) throw new HasPosts('the database already has posts')
  const derived = derivations(plan)
  const tables = [...Object.keys(copied), ...derived.flatMap((one) => one.tables)]
  const indexes = await readIndexes(owner.pool, tables)
  await runPsql(urls.migrator, writeScript(plan, tables, indexes))
  const index = indexes.filter(({ table }) => table in copied).map(({ definition }) => [definition])
  const fill = derived.map((one) => [
    ...one.tables.map((table) => `alter table ${table} disable trigger user`),
    ...one.statements,
    ...indexes.filter(({ table }) => one.tables.includes(table)).map(({ definition }) => definition),
    ...one.tables.map((table) => `alter table ${table} enable trigger user`),
  ])
  await runTasks(owner.pool, [...index, ...fill])
  await owner.pool.query(`vacuum (analyze) ${[...tables, 'accounts', 'balances', 'api_keys'].join(', ')}`)
}

type Index = { table: string; name: string; definition: string }

/** Indexes that do not enforce a constraint. Creating them after the data takes a fraction of the time. */
async function readIndexes(pool: pg.Pool, tables: readonly string[]): Promise<Index[]> {
  const { rows } = await pool.query<Index>(
    `select tables.relname as table, made.relname as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class made on made.oid = indexrelid join pg_class tables on tables.oid = indrelid
       join pg_am on pg_am.oid = made.relam
     where tables.relname = any($1) and tables.relnamespace = 'public'::regnamespace and not indisunique
     order by amname <> 'gin', tables.relname, made.relname`,
    [tables],
  )
  return rows
}

async function* writeScript(plan: SeedPlan, tables: readonly string[], indexes: readonly Index[]) {
  const onProgress = showProgress('writing posts')
  const copy = (table: keyof typeof copied, lines: string) =>
    lines && `copy ${table} (${copied[table]}) from stdin with (freeze);\n${lines}\\.\n`
  const material = { vocabulary: makeVocabulary(), places: readPlaces() }
  const numbers = new Map<string, number>()
  const nextNumber = (listing: string) => {
    const number = (numbers.get(listing) ?? 0) + 1
    numbers.set(listing, number)
    return number
  }
  yield 'begin;\n'
  // The tables are truncated although they are empty, so that rows can be stored as frozen and need no vacuum.
  yield `truncate ${tables.join(', ')} cascade;\nalter table posts disable trigger user;\n${insertAuthors(plan)}\n`
  yield indexes.map(({ name }) => `drop index ${name};\n`).join('')
  for (let number = 0; number * batchSize < plan.posts; number++) {
    const { listings, ...lines } = makeBatch(plan, number, material)
    yield copy('posts', lines.posts)
    yield copy('search_entries', lines.search_entries)
    yield copy('post_signatures', lines.post_signatures)
    const numbered = listings.lines.map((line, at) => `${line}\t${nextNumber(String(listings.keys[at]))}\n`)
    yield copy('shelf_entries', numbered.join(''))
    onProgress(Math.min((number + 1) * batchSize, plan.posts), plan.posts)
  }
  yield 'alter table posts enable trigger user;\ncommit;\n'
}

/** Runs a script that is generated while it runs, including COPY data, in one session. Stops at the first error. */
async function runPsql(url: string, script: AsyncIterable<string>): Promise<void> {
  const child = spawn('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url], { stdio: ['pipe', 'ignore', 'pipe'] })
  const writing = pipeline(Readable.from(script), child.stdin)
  // If psql has stopped, its own error message is more useful than the error of the closed pipe.
  const [errors, closed, written] = await Promise.allSettled([text(child.stderr), once(child, 'close'), writing])
  if (closed.status === 'rejected') throw closed.reason
  if (closed.value[0] !== 0)
    throw new Error(`PostgreSQL rejected the data: ${errors.status === 'fulfilled' && errors.value}`)
  if (written.status === 'rejected') throw written.reason
}

/** The server's defaults are far too low for the word index and for sorting millions of rows. */
const memory = `set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set max_parallel_maintenance_workers = 0`

/** Runs the statements of each task in one transaction, two tasks at a time in the given order. */
async function runTasks(pool: pg.Pool, tasks: readonly string[][]): Promise<void> {
  const waiting = tasks.values()
  const onProgress = showProgress('filling tables and making indexes')
  let done = 0
  const session = async () => {
    for (const statements of waiting) {
      await pool.query([memory, 'begin', ...statements, 'commit'].join(';\n'))
      onProgress(++done, tasks.length)
    }
  }
  await Promise.all(Array.from({ length: sessions }, session))
}
