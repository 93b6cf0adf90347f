import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startOfUtcDay, utcDay } from '../../src/contract/time/utc-day.ts'
import { charge, refund } from '../../src/ledger/charges.ts'
import { readKeySpending } from '../../src/ledger/spending-limits.ts'
import { BalanceTooLow, KeyCapReached, RefundTooLarge } from '../../src/ledger/transfers.ts'
import { type Connection, connect, inTransaction, type Transaction } from '../../src/platform/database/database.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { purges } from '../../src/retention.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { runInParts, times } from '../../tooling/test-length.ts'
import { openAccounts } from '../support/money/ledger-model.ts'

let database: OwnDatabase
let connection: Connection
before(async () => {
  database = await migratedDatabase('key_spending')
  connection = connect(database.urls.migrator, { poolMax: 16, applicationName: 'key spending test' })
})
after(async () => {
  await connection[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const noon = new Date('2026-11-15T12:00:00Z')
const daysAfter = (days: number) => new Date(noon.getTime() + days * 86_400_000)

async function addKey(accountId: string, { slot, dailyCapMicros }: { slot: number; dailyCapMicros: number | null }) {
  const id = newId('key', noon)
  await sql`
    insert into api_keys (id, account_id, slot, name, hash, last4, scope, daily_cap_micros, created_at)
    values (${id}, ${accountId}, ${slot}, 'k', sha256(${id}::bytea), 'last', 'full', ${dailyCapMicros}, ${noon})`.execute(
    connection.db,
  )
  return id
}

const step = fc.record({
  act: fc.constantFrom('charge', 'charge', 'charge', 'refund'),
  account: fc.nat({ max: 1 }),
  key: fc.nat({ max: 1 }),
  subject: fc.nat({ max: 9 }),
  amountMicros: fc.integer({ min: 1, max: 40 }),
  day: fc.nat({ max: 1 }),
})
const numRuns = times({ whole: 1_500, short: 150 })
const capMicros = 60

test(`through up to ${numRuns} random sequences of concurrent charges and refunds, each key’s total is the sum of its transfers and within its cap`, async () => {
  let refusedByCap = 0
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
    const accounts = await openAccounts(connection.db, { prepaidMicros: 150 })
    const keysOf = async (accountId: string) => [
      await addKey(accountId, { slot: 1, dailyCapMicros: capMicros }),
      await addKey(accountId, { slot: 2, dailyCapMicros: null }),
    ]
    const keys = [await keysOf(String(accounts[0])), await keysOf(String(accounts[1]))]
    await Promise.all(
      steps.map(async ({ act, account, key, subject, amountMicros, day }) => {
        const accountId = String(accounts[account])
        const common = { accountId, amountMicros, subject: `${accountId}:${subject}`, at: daysAfter(day) }
        const keyId = String(keys[account]?.[key])
        await inTransaction(connection.db, async (tx) => {
          await (act === 'charge' ? charge(tx, { ...common, keyId, reason: 'post' }) : refund(tx, common))
        }).catch((error) => {
          if (error instanceof KeyCapReached) refusedByCap++
          else if (!(error instanceof BalanceTooLow || error instanceof RefundTooLarge || isOtherAmount(error)))
            throw error
        })
      }),
    )
    for (const keyId of keys.flat())
      for (const at of [daysAfter(0), daysAfter(1)]) {
        const { spentMicros, capMicros: cap } = await readKeySpending(connection.db, keyId, at)
        assert.equal(spentMicros, await sumOfTransfers(keyId, at))
        assert.ok(cap === null || spentMicros <= cap)
      }
  })
  const runs = await runInParts(numRuns, 25, (part) => fc.assert(property, { numRuns: part }))
  assert.ok(refusedByCap > runs / 20, `the cap refused only ${refusedByCap} charges`)
})

/** A subject that was charged with another amount. */
const isOtherAmount = (error: unknown) => (error as Error).message.startsWith('already booked')

async function sumOfTransfers(keyId: string, at: Date): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount_micros), 0)::bigint as sum from ledger_transfers
    where key_id = ${keyId} and (entered_at at time zone 'UTC')::date = ${utcDay(at)}`.execute(connection.db)
  return Number(rows[0]?.sum)
}

/** The rows that a charge reads do not depend on it: with 200,000 transfers, loading them takes most of the time. */
const transfers = times({ whole: 200_000, short: 5_000 })

test(`a charge with a capped key reads as many rows after ${transfers} transfers of the day as after none`, async (context) => {
  const [accountId] = await openAccounts(connection.db, { prepaidMicros: 1_000_000 })
  const keyId = await addKey(String(accountId), { slot: 1, dailyCapMicros: 900_000 })
  const rowsRead = (subject: string) =>
    inTransaction(connection.db, async (tx) => {
      const work = { accountId: String(accountId), keyId, amountMicros: 1, reason: 'post' as const, subject, at: noon }
      return await countRowsRead(tx, () => charge(tx, work))
    })
  const before = await rowsRead('the first')
  await addTransfers({ accountId: String(accountId), keyId, count: transfers })
  const spending = await readKeySpending(connection.db, keyId, noon)
  assert.equal(spending.spentMicros, transfers + 1)
  const later = await rowsRead('the last')
  context.diagnostic(`a charge read ${before} rows before and ${later} rows after ${transfers} transfers`)
  assert.ok(later <= before + 10, `${later} rows were read, and ${before} before`)
  const reading = await inTransaction(connection.db, (tx) =>
    countRowsRead(tx, () => readKeySpending(tx as never, keyId, noon)),
  )
  assert.ok(reading < 10, `${reading} rows were read for the key’s spending`)
})

/**
 * The rows that the work read, its triggers included. Indexes are used where they exist: for a table of one page, the
 * planner may read all rows instead, depending on when the table was last analysed.
 */
async function countRowsRead(tx: Transaction, work: () => Promise<unknown>): Promise<number> {
  await sql`set local enable_seqscan = off`.execute(tx)
  const count = async () => {
    const { rows } = await sql<{ read: number }>`
      select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
    `.execute(tx)
    return Number(rows[0]?.read)
  }
  const start = await count()
  await work()
  return (await count()) - start
}

type Bulk = { accountId: string; keyId: string; count: number }

/** As if they had been charged one by one, without the time that it takes. */
async function addTransfers({ accountId, keyId, count }: Bulk): Promise<void> {
  await using admin = connect(database.adminUrl, { poolMax: 1, applicationName: 'bulk', statementTimeoutMs: 0 })
  await inTransaction(admin.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, key_id, entered_at)
      select 'txn_01jcmzq8e5f7r9t2v4x6' || lpad(n::text, 6, '0'), ${accountId}, 'prepaid', 'revenue', 1, 'post',
        'bulk:' || n, ${keyId}, ${startOfUtcDay(noon)}
      from generate_series(1, ${count}::int) n`.execute(tx)
    await sql`update balances set prepaid_micros = prepaid_micros - ${count} where account_id = ${accountId}`.execute(
      tx,
    )
    await sql`update key_spending set spent_micros = spent_micros + ${count} where key_id = ${keyId}`.execute(tx)
  })
  await sql`analyze ledger_transfers`.execute(admin.db)
}

test('totals of past days are deleted a day after they end', async () => {
  await using worker = connect(database.urls.worker, { poolMax: 1, applicationName: 'test purge' })
  const days = async () => {
    const { rows } = await sql<{ day: string }>`select distinct day::text from key_spending order by 1`.execute(
      connection.db,
    )
    return rows.map(({ day }) => day)
  }
  assert.deepEqual(await days(), ['2026-11-15', '2026-11-16'])
  await purges['key-spending'](worker.db, daysAfter(1))
  assert.deepEqual(await days(), ['2026-11-15', '2026-11-16'])
  await purges['key-spending'](worker.db, daysAfter(2))
  assert.deepEqual(await days(), ['2026-11-16'])
})
