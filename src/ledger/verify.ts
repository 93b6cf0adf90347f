import { sql } from 'kysely'
import type { LedgerBook } from '../../generated/database-types.ts'
import type { Database, Transaction } from '../platform/database/database.ts'

/** The number of rows in memory at a time. */
const batchRows = 5_000
/** The maximum number of differences to list. `difference_count` counts all of them. */
const maxReported = 100

export type LedgerDifference = {
  account_id: string
  prepaid_micros: { kept: string; entered: string }
  owed_micros: { kept: string; entered: string }
}

export type Verification = {
  accounts: number
  transfers: number
  books: Record<string, string>
  /** The customers' balances plus all other books. It must be zero; otherwise money was created or lost. */
  sum_micros: string
  difference_count: number
  differences: LedgerDifference[]
}

/**
 * Recomputes every balance from the transfers, in one snapshot and bounded memory: balances and transfers are read
 * together, sorted by account on the server, one batch at a time.
 */
export function verifyLedger(db: Database, onProgress: (done: number, total: number) => void): Promise<Verification> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const total = await countRows(tx)
      const tally = newTally()
      let done = 0
      for await (const row of rowsByAccount(tx)) {
        tally.add(row)
        if (++done % batchRows === 0) onProgress(done, total)
      }
      onProgress(done, total)
      return tally.finish()
    })
}

type Row = {
  account_id: string | null
  prepaid_micros: number | null
  owed_micros: number | null
  from_book: LedgerBook | null
  to_book: LedgerBook | null
  amount_micros: number | null
}

function rowsByAccount(tx: Transaction): AsyncIterableIterator<Row> {
  const nothing = sql<null>`null`
  return tx
    .selectFrom('balances')
    .select(['account_id', 'prepaid_micros', 'owed_micros'])
    .select([nothing.as('from_book'), nothing.as('to_book'), nothing.as('amount_micros')])
    .unionAll(
      tx
        .selectFrom('ledger_transfers')
        .select(['account_id', sql<null>`null::bigint`.as('prepaid_micros'), sql<null>`null::bigint`.as('owed_micros')])
        .select(['from_book', 'to_book', 'amount_micros']) as never,
    )
    .orderBy('account_id')
    .$castTo<Row>()
    .stream(batchRows)
}

async function countRows(tx: Transaction): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select (select count(*) from balances) + (select count(*) from ledger_transfers) as total`.execute(tx)
  return rows[0]?.total ?? 0
}

function newTally() {
  const books = new Map<string, bigint>()
  const differences: LedgerDifference[] = []
  let counts = { accounts: 0, transfers: 0, differences: 0 }
  let keptByCustomers = 0n
  let current = newAccount('')

  function closeAccount() {
    if (current.id === '') return
    const { id, kept, entered } = current
    if (kept.prepaid === entered.prepaid && kept.owed === entered.owed) return
    counts = { ...counts, differences: counts.differences + 1 }
    if (differences.length >= maxReported) return
    const describe = (book: 'prepaid' | 'owed') => ({
      kept: String(kept[book] ?? 'no row'),
      entered: String(entered[book]),
    })
    differences.push({ account_id: id, prepaid_micros: describe('prepaid'), owed_micros: describe('owed') })
  }

  function add(row: Row) {
    if (row.account_id !== null && row.account_id !== current.id) {
      closeAccount()
      current = newAccount(row.account_id)
    }
    if (row.from_book === null || row.to_book === null) {
      counts.accounts++
      current.kept = { prepaid: BigInt(row.prepaid_micros ?? 0), owed: BigInt(row.owed_micros ?? 0) }
      keptByCustomers += BigInt(row.prepaid_micros ?? 0) - BigInt(row.owed_micros ?? 0)
      return
    }
    counts.transfers++
    const amount = BigInt(row.amount_micros ?? 0)
    move(books, row.from_book, -amount)
    move(books, row.to_book, amount)
    if (row.from_book === 'prepaid') current.entered.prepaid -= amount
    if (row.to_book === 'prepaid') current.entered.prepaid += amount
    if (row.from_book === 'owed') current.entered.owed += amount
    if (row.to_book === 'owed') current.entered.owed -= amount
  }

  function finish(): Verification {
    closeAccount()
    const house = [...books].filter(([book]) => book !== 'prepaid' && book !== 'owed')
    const sum = house.reduce((total, [, amount]) => total + amount, keptByCustomers)
    return {
      accounts: counts.accounts,
      transfers: counts.transfers,
      books: Object.fromEntries([...books].sort().map(([book, amount]) => [book, String(amount)])),
      sum_micros: String(sum),
      difference_count: counts.differences,
      differences,
    }
  }
  return { add, finish }
}

type Sums = { prepaid: bigint; owed: bigint }
type AccountTally = { id: string; kept: Partial<Sums>; entered: Sums }

const newAccount = (id: string): AccountTally => ({ id, kept: {}, entered: { prepaid: 0n, owed: 0n } })

const move = (books: Map<string, bigint>, book: string, amount: bigint) =>
  void books.set(book, (books.get(book) ?? 0n) + amount)
