import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { showProgress } from '../../../src/bin/progress.ts'
import { connect } from '../../../src/platform/database/database.ts'
import type { RoleUrls } from '../../../tooling/services/databases.ts'
import { batchSize, entryColumns, insertAccounts, postColumns, type SeedPlan } from './batch.ts'
import { makeBatches } from './make-batches.ts'

const mark = 'step: '

/** A psql command that reports progress to the caller. */
export const tellStep = (name: string) => `\\warn '${mark}${name}'\n`

/** Runs a script that is generated while it runs, including COPY data, in one session. Stops at the first error. */
export async function runPsql(
  url: string,
  script: AsyncIterable<string>,
  onStep: (name: string) => void,
): Promise<void> {
  const child = spawn('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url], { stdio: ['pipe', 'ignore', 'pipe'] })
  const errors: string[] = []
  const lines = createInterface({ input: child.stderr })
  lines.on('line', (line) => (line.startsWith(mark) ? onStep(line.slice(mark.length)) : errors.push(line)))
  const ended = once(child, 'close').catch((cause) => {
    throw new Error('psql could not be started. Run scripts/setup, or add PostgreSQL’s programs to the PATH.', {
      cause,
    })
  })
  // If psql has stopped, its own error message is more useful than the error of the closed pipe.
  const [written, closed] = await Promise.allSettled([pipeline(Readable.from(script), child.stdin), ended])
  if (closed.status === 'rejected') throw closed.reason
  if (closed.value[0] !== 0) throw new Error(`PostgreSQL rejected the data: ${errors.join('\n')}`)
  if (written.status === 'rejected') throw written.reason
}

export type Seeding = SeedPlan & { urls: RoleUrls; threads?: number }

export class HasPosts extends Error {}

/**
 * Stores published posts with their search entries in one transaction, so an interrupted run leaves nothing behind.
 * Other writers and searches wait until it is done.
 */
export async function seedDatabase({ urls, threads = availableParallelism(), ...plan }: Seeding): Promise<void> {
  await using owner = connect(urls.migrator, { poolMax: 2, applicationName: 'seed', statementTimeoutMs: 0 })
  if (await hasPosts(owner.pool)) throw new HasPosts('the database already has posts')
  const indexes = await readIndexes(owner.pool)
  await using watch = watchIndexing(owner.pool)
  await runPsql(urls.migrator, writeScript(plan, threads, indexes), watch.begin)
  watch.end()
  await describe('gathering statistics', () => owner.pool.query(`vacuum (analyze) ${tables}, accounts, balances`))
}

const tables = 'posts, search_entries'

async function hasPosts(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>('select exists (select from posts) as found')
  return Boolean(rows[0]?.found)
}

type Index = { name: string; definition: string }

/** Indexes that do not enforce a constraint. Creating them after the data takes a fraction of the time. */
async function readIndexes(pool: pg.Pool): Promise<Index[]> {
  const { rows } = await pool.query<Index>(
    `select relname as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid in ('posts'::regclass, 'search_entries'::regclass) and not indisunique order by relname`,
  )
  return rows
}

async function* writeScript(plan: SeedPlan, threads: number, indexes: readonly Index[]): AsyncGenerator<string> {
  const onProgress = showProgress('writing posts')
  yield 'begin;\n'
  // The tables are truncated although they are empty, so that rows can be stored as frozen and need no vacuum.
  yield `truncate ${tables} cascade;\nalter table posts disable trigger user;\n${insertAccounts}\n`
  yield indexes.map(({ name }) => `drop index ${name};\n`).join('')
  let written = 0
  for await (const { posts, entries } of makeBatches(plan, threads)) {
    yield `copy posts (${postColumns}) from stdin with (freeze);\n${posts}\\.\n`
    yield `copy search_entries (${entryColumns}) from stdin with (freeze);\n${entries}\\.\n`
    written = Math.min(written + batchSize, plan.posts)
    onProgress(written, plan.posts)
  }
  // The server's default is far too low for the word index.
  yield `set local maintenance_work_mem = '1GB';\n`
  for (const { name, definition } of indexes) yield `${tellStep(name)}${definition};\n`
  yield `${tellStep('commit')}alter table posts enable trigger user;\ncommit;\n`
}

/** Shows the server's progress on the current index. */
function watchIndexing(pool: pg.Pool) {
  let shown: ReturnType<typeof showProgress> | undefined
  const look = async () => {
    const { rows } = await pool.query<{ done: number; total: number }>(
      `select blocks_done as done, blocks_total as total from pg_stat_progress_create_index
       where datname = current_database() and blocks_total > 0 and blocks_done < blocks_total`,
    )
    const [state] = rows
    if (state) shown?.(state.done, state.total)
  }
  // A failed progress query is ignored.
  const timer = setInterval(() => void look().catch(() => {}), 1_000)
  const end = () => clearInterval(timer)
  return {
    begin: (name: string) => {
      shown = name === 'commit' ? undefined : showProgress(`making ${name}: block`)
    },
    end,
    [Symbol.asyncDispose]: async () => end(),
  }
}

async function describe(label: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  process.stderr.write(`${label} …`)
  await work()
  process.stderr.write(` ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`)
}
