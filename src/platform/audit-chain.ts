import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Transaction } from './database/database.ts'

/** The number of rows in memory at a time. */
const batchRows = 5_000
/** Enough to see the problem; `fault_count` is the total. */
const maxReported = 20
/** The entry before the first one. */
const origin = { position: 0, hash: '00'.repeat(32) }

/** One position in the chain, with its hash in hexadecimal. */
export type ChainEntry = { position: number; hash: string }

export type ChainFault = {
  fault: 'changed' | 'missing' | 'gap' | 'unchained' | 'repeated' | 'head' | 'expected'
  position: number | null
  audit_id: string | null
  says: string
}

type ChainVerification = {
  entries: number
  /** The last entry, to be stored elsewhere: `<position>:<hash>`. Null if the log is empty. */
  head: string | null
  ok: boolean
  fault_count: number
  faults: ChainFault[]
}

export const writeEntry = ({ position, hash }: ChainEntry) => `${position}:${hash}`

/** The last entry of the chain in the database, unverified; null if the log is empty. */
export async function readAuditHead(db: Database): Promise<ChainEntry | null> {
  const head = await db.selectFrom('audit_head').select(['position', 'hash']).executeTakeFirst()
  return head && head.position > 0 ? { position: head.position, hash: head.hash.toString('hex') } : null
}

/**
 * Recomputes the chain from the rows of the audit log, in one snapshot and in bounded memory, and reports differences.
 * Only an entry stored elsewhere (`expected`) can reveal that the whole chain was rewritten.
 */
export function verifyAuditChain(
  db: Database,
  expected: ChainEntry | null,
  onProgress: (done: number, total: number) => void,
): Promise<ChainVerification> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // The database owner sets the default search path, and could add operators that shadow the built-in ones.
      await sql`set local search_path = pg_catalog, public`.execute(tx)
      const total = await countRows(tx)
      const tally = newTally(expected)
      let done = 0
      for await (const row of rowsInOrder(tx)) {
        tally.add(row)
        if (++done % batchRows === 0) onProgress(done, total)
      }
      onProgress(done, done)
      for (const auditId of await rowsChainedTwice(tx)) tally.addRepeated(auditId)
      const head = await tx.selectFrom('audit_head').select(['position', 'hash']).executeTakeFirst()
      return tally.finish(head ? { position: head.position, hash: head.hash.toString('hex') } : null)
    })
}

type AuditRow = {
  id: string
  at_micros: string
  actor: string
  action: string
  account_id: string | null
  details: string
}
type ChainRow = { position: number | null; chained_id: string | null; hash: Buffer | null } & (AuditRow | { id: null })

/** Entries in order, each with its row if it exists; then the rows without an entry. */
function rowsInOrder(tx: Transaction): AsyncIterableIterator<ChainRow> {
  return tx
    .selectFrom('audit_chain')
    .fullJoin('audit_log', 'audit_log.id', 'audit_chain.audit_id')
    .select(['audit_chain.position', 'audit_chain.hash', 'audit_log.actor', 'audit_log.action'])
    .select([
      sql`audit_chain.audit_id::text`.as('chained_id'),
      sql`audit_log.id::text`.as('id'),
      // A Date has no microseconds.
      sql`(extract(epoch from audit_log.at) * 1000000)::bigint::text`.as('at_micros'),
      sql`audit_log.account_id::text`.as('account_id'),
      sql`audit_log.details::text`.as('details'),
    ])
    .orderBy('audit_chain.position', (order) => order.asc().nullsLast())
    .orderBy('audit_log.id')
    .$castTo<ChainRow>()
    .stream(batchRows)
}

async function countRows(tx: Transaction): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from audit_chain`.execute(tx)
  return rows[0]?.total ?? 0
}

/** A constraint prevents this, but the owner of the table can drop it. */
async function rowsChainedTwice(tx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ audit_id: string }>`
    select audit_id::text from audit_chain group by audit_chain.audit_id having count(*) > 1
    order by audit_chain.audit_id limit ${maxReported}`.execute(tx)
  return rows.map(({ audit_id }) => audit_id)
}

function newTally(expected: ChainEntry | null) {
  const faults: ChainFault[] = []
  let [entries, faultCount] = [0, 0]
  let last: ChainEntry = origin
  let foundWhereExpected: string | undefined

  function report(fault: ChainFault['fault'], position: number | null, audit_id: string | null, says: string) {
    if (++faultCount <= maxReported) faults.push({ fault, position, audit_id, says })
  }

  function add(row: ChainRow) {
    if (row.position === null || row.hash === null)
      return report('unchained', null, row.id, `Audit row ${row.id} is not in the chain.`)
    entries++
    const { position, chained_id: id } = row
    const hash = row.hash.toString('hex')
    const isNext = position === last.position + 1
    if (!isNext)
      report('gap', last.position + 1, null, `The chain has no entries from ${last.position + 1} to ${position - 1}.`)
    if (row.id === null) report('missing', position, id, `Audit row ${id}, at position ${position}, is missing.`)
    else if (isNext && hash !== hashOf(last.hash, row))
      report(
        'changed',
        position,
        id,
        `Audit row ${id} differs from the row that was recorded at position ${position}, after position ${last.position}.`,
      )
    if (position === expected?.position) foundWhereExpected = hash
    last = { position, hash }
  }

  const addRepeated = (id: string) =>
    report('repeated', null, id, `Audit row ${id} appears in the chain more than once.`)

  function finish(head: ChainEntry | null): ChainVerification {
    const lastWritten = writeEntry(last)
    if (!head) report('head', null, null, 'The head of the chain is missing.')
    else if (writeEntry(head) !== lastWritten)
      report('head', head.position, null, `The head is ${writeEntry(head)}, but the chain ends with ${lastWritten}.`)
    if (expected && foundWhereExpected !== expected.hash)
      report('expected', expected.position, null, describeUnexpected(expected, foundWhereExpected))
    return { entries, head: entries > 0 ? lastWritten : null, ok: faultCount === 0, fault_count: faultCount, faults }
  }
  return { add, addRepeated, finish }
}

const describeUnexpected = ({ position, hash }: ChainEntry, found: string | undefined) =>
  `Position ${position} has ${found ? `the hash ${found}` : 'no entry'}; expected ${hash}.`

/** Same result as `audit_row_bytes` and `chain_audit_row` in the schema, but independent of them. */
function hashOf(previous: string, { id, at_micros, actor, action, account_id, details }: AuditRow): string {
  const text = [id, at_micros, actor, action, account_id, details].map(writeField).join('')
  return createHash('sha256').update(previous, 'hex').update(text, 'utf8').digest('hex')
}

const writeField = (value: string | null) => (value === null ? '-' : `${Buffer.byteLength(value)}:${value}`)
