import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeadlock, isLockTimeout, type Session } from '../../platform/database/database.ts'
import { monthStart, monthsAhead } from './months.ts'

/**
 * The rows of `search_entries`, which holds all times, move into one partition for each month. Searches and writers go on
 * meanwhile: the months are copied beside it, a trigger repeats every change there, and the last step swaps them in.
 */
const copy = 'search_months'
const trigger = 'follow_search_entries'
const advisoryLock = "hashtextextended('divide search entries', 0)"

export type DivideOptions = {
  at: Date
  onProgress?: (done: number, total: number) => void
  /** Called before the swap, which programs of the previous release do not survive. */
  beforeSwap?: () => Promise<void>
  batchSize?: number
  /** For tests: throws to interrupt the work. */
  afterBatch?: () => Promise<void>
}

export type Division = { state: 'whole' | 'dividing' | 'by month'; partitions: SearchPartition[] }
export type SearchPartition = { name: string; starts_at: Date | null; ends_at: Date | null; entries: number }

export async function readDivision(client: Session): Promise<Division> {
  const { rows: partitions } = await client.query<SearchPartition>(
    'select name, starts_at, ends_at, entries from search_partitions order by starts_at nulls first',
  )
  const isWhole = partitions.some(({ ends_at }) => ends_at === null)
  const { rows } = await client.query<{ copying: boolean }>(`select to_regclass('${copy}') is not null as copying`)
  return { state: isWhole ? (rows[0]?.copying ? 'dividing' : 'whole') : 'by month', partitions }
}

/** Divides the entries by month. If it was interrupted, it continues. Returns the number of rows that it copied. */
export async function divideSearchEntries(client: Session, options: DivideOptions): Promise<number> {
  return await alone(client, async () => {
    if ((await readDivision(client)).state === 'by month') return 0
    await client.query(`set timezone = 'UTC'; set maintenance_work_mem = '256MB'; set lock_timeout = ${lockTimeoutMs}`)
    const months = await prepareCopy(client, options.at)
    const copied = await copyMonths(client, months, options)
    await options.beforeSwap?.()
    await patiently(() => swap(client, months, options.at))
    return copied
  })
}

/** Removes what an interrupted division has copied. */
export async function cancelDivision(client: Session): Promise<void> {
  await alone(client, () =>
    patiently(() => client.query(`drop trigger if exists ${trigger} on search_entries; drop table if exists ${copy}`)),
  )
}

async function alone<Result>(client: Session, work: () => Promise<Result>): Promise<Result> {
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${advisoryLock}) as taken`)
  if (!rows[0]?.taken) throw new Error('Another command divides the search entries. Wait until it has ended.')
  try {
    return await work()
  } finally {
    await client.query(`select pg_advisory_unlock(${advisoryLock})`).catch(() => {})
  }
}

type Month = { name: string; from: string; to: string }

/** A table for each month that has entries, and for the next one, in case this takes so long. */
async function prepareCopy(client: Session, at: Date): Promise<Month[]> {
  const { rows } = await client.query<{ oldest: Date | null }>('select min(published_at) as oldest from search_entries')
  const months = monthsFrom(rows[0]?.oldest ?? at, at)
  await patiently(() =>
    client.query(`
      create table if not exists ${copy} (like searchable_posts) partition by range (published_at);
      create unique index if not exists ${copy}_by_post on ${copy} (post_id, published_at);
      create index if not exists ${copy}_by_time on ${copy} (published_at desc, post_id desc);
      ${months.map((month, index) => createMonth(month, months.length - index)).join('\n')}
      create or replace trigger ${trigger} after insert or update or delete on search_entries
        for each row execute function follow_search_entries()`),
  )
  return months
}

const mostMonths = 240

function monthsFrom(oldest: Date, at: Date): Month[] {
  const months: Month[] = []
  const end = monthStart(at, 1)
  for (let start = monthStart(oldest < at ? oldest : at); start <= end; start = monthStart(start, 1))
    months.push({
      name: `searchable_posts_${start.toISOString().slice(0, 7).replace('-', '_')}`,
      from: start.toISOString(),
      to: monthStart(start, 1).toISOString(),
    })
  if (months.length > mostMonths)
    throw new Error(`The oldest entry is of ${oldest.toISOString()}, which cannot be right.`)
  return months
}

/** The check proves to PostgreSQL that the rows belong to the month, so the swap need not read them. */
const createMonth = ({ name, from, to }: Month, age: number) => `
  create table if not exists ${name} partition of ${copy} (
    constraint of_the_month check (published_at >= '${from}' and published_at < '${to}')
  ) for values from ('${from}') to ('${to}');
  alter table ${name} alter column words set statistics ${statisticsOf(age)}, alter column facets set statistics ${statisticsOf(age)};`

/**
 * The newest months say how common a word is (`search_shares`). Older ones keep few words, because planning reads the
 * statistics of every partition: with 10,000 words in each it took longer than the search.
 */
const statisticsOf = (age: number) => (age <= detailedMonths ? 1_000 : 50)
const detailedMonths = 7

const doneMark = 'copied'

async function copyMonths(client: Session, months: readonly Month[], options: DivideOptions): Promise<number> {
  const { rows } = await client.query<{ total: number }>(
    "select greatest(reltuples, 0)::float8 as total from pg_class where oid = 'search_entries'::regclass",
  )
  const total = rows[0]?.total ?? 0
  let copied = 0
  const onBatch = async (count: number) => {
    copied += count
    options.onProgress?.(Math.min(copied, total), total)
    await options.afterBatch?.()
  }
  for (const month of months.toReversed()) {
    if (await isCopied(client, month)) continue
    await copyMonth(client, month, options.batchSize ?? 2_000, onBatch)
    await indexWords(client, month)
    await client.query(`analyze ${month.name}`)
    await client.query(`comment on table ${month.name} is '${doneMark}'`)
  }
  return copied
}

async function isCopied(client: Session, { name }: Month): Promise<boolean> {
  const { rows } = await client.query<{ mark: string | null }>(
    "select obj_description($1::regclass, 'pg_class') as mark",
    [name],
  )
  return rows[0]?.mark === doneMark
}

type Last = { published_at: string; post_id: string; count: number }

/**
 * Rows are locked while they are copied. Otherwise one that is deleted meanwhile would stay in the copy: the trigger would
 * not find it there yet.
 */
async function copyMonth(client: Session, month: Month, batchSize: number, onBatch: (count: number) => Promise<void>) {
  let last: Last = { published_at: month.from, post_id: '', count: 0 }
  while (true) {
    const { published_at, post_id } = last
    const { rows } = await patiently(() =>
      client.query<Last>(
        `with batch as materialized (
         select * from search_entries
         where published_at >= $1::timestamptz and published_at < $2 and (published_at, post_id) > ($1::timestamptz, $3)
         order by published_at, post_id limit $4 for share
       ), written as (insert into ${month.name} select * from batch on conflict do nothing)
       select published_at::text, post_id, (select count(*) from batch)::int as count
       from batch order by batch.published_at desc, post_id desc limit 1`,
        [published_at, month.to, post_id, batchSize],
      ),
    )
    if (!rows[0]) return
    last = rows[0]
    await onBatch(last.count)
  }
}

/** Built at once from all rows: this takes a fraction of the time of one by one. */
async function indexWords(client: Session, { name }: Month): Promise<void> {
  const index = `${name}_by_word`
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  if (rows[0]?.indisvalid) return
  // It waits for other transactions without blocking them.
  await client.query('set lock_timeout = 0')
  await client.query(`drop index concurrently if exists ${index}`)
  await client.query(
    `create index concurrently ${index} on ${name} using gin (facets, words, pairs) with (fastupdate = off)`,
  )
  await client.query(`set lock_timeout = ${lockTimeoutMs}`)
}

/** Waits for no row: nothing is read or written but the catalog. `search_entries` stays, empty, for the time before. */
async function swap(client: Session, months: readonly Month[], at: Date): Promise<void> {
  const first = months[0]
  assert(first)
  await client.query('begin')
  try {
    await client.query('lock table searchable_posts, search_entries in access exclusive mode')
    await client.query(`alter table searchable_posts detach partition search_entries`)
    await client.query(`drop trigger ${trigger} on search_entries`)
    for (const { name, from, to } of months) {
      await client.query(`alter table ${copy} detach partition ${name}`)
      await client.query(
        `alter table searchable_posts attach partition ${name} for values from ('${from}') to ('${to}')`,
      )
      await client.query(`alter table ${name} drop constraint of_the_month; comment on table ${name} is null`)
    }
    await client.query(`drop table ${copy}; truncate search_entries`)
    await client.query(
      `alter table searchable_posts attach partition search_entries for values from (minvalue) to ('${first.from}')`,
    )
    await client.query('select add_search_months($1)', [monthStart(at, monthsAhead)])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const [lockTimeoutMs, pauseMs, maxTries] = [2_000, 1_000, 20]

/** Whoever waits for a lock blocks all queries behind it. So it waits briefly, pauses and tries again. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(isLockTimeout(error) || isDeadlock(error)) || tries === maxTries) throw error
    }
    await sleep(pauseMs)
  }
}
