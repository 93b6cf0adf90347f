import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offsetClock } from '../../src/platform/clock.ts'
import { connect, type Database } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { privateKeyFromSeed } from '../../src/platform/ed25519.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { openPageStore } from '../../src/platform/page-store/page-store.ts'
import { openLog, readLogHead, type TransparencyLog } from '../../src/transparency-log/log.ts'
import { openNoteSigner } from '../../src/transparency-log/notes.ts'
import { verifyLog } from '../../src/transparency-log/verify-log.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'

export const logOrigin = 'posts.example/log'
const seed = createHash('sha256').update('the log of tests').digest()

/** A log without the service around it: its database, its files, and a second worker's view of both. */
export async function startTestLog(options: { database?: OwnDatabase; directory?: string } = {}) {
  const stack = new AsyncDisposableStack()
  const database = options.database ?? stack.use(await migratedDatabase('log'))
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'broadside-log-')))
  if (!options.directory) stack.defer(() => rm(directory, { recursive: true, force: true }))
  const lines: string[] = []
  const logger = createLogger('info', 'test', { write: (line: string) => void lines.push(line) })
  const open = (): TransparencyLog => {
    const { db } = stack.use(connect(database.urls.worker, { poolMax: 4, applicationName: 'test log' }))
    const signer = openNoteSigner(logOrigin, privateKeyFromSeed(seed))
    const store = openPageStore(directory)
    return { db, clock: offsetClock(), logger, signer, store, enqueueProofs: async () => {} }
  }
  const log = open()
  await openLog(log.db, log.signer)
  return { database, directory, lines, log, open, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

export type TestLog = Awaited<ReturnType<typeof startTestLog>>

/** Queues commitments to nothing in particular. */
export async function queueEntries(db: Database, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({ type: 'post', commitment: randomBytes(32) }))
  await db.insertInto('log_queue').values(rows).execute()
}

export async function headOf(db: Database) {
  const head = await readLogHead(db)
  if (!head) throw new Error('there is no log')
  return head
}

/** What `log verify` finds. */
export async function faultsOf({ log, database }: TestLog): Promise<string[]> {
  await using reader = connect(database.urls.reader, { poolMax: 1, applicationName: 'test' })
  return (await verifyLog(reader.db, log.store, () => {})).faults
}

const logTables = ['log_queue', 'log_entries', 'log_tile_hashes', 'log_checkpoints', 'log_head', 'closed_logs']

/** Brings the log's tables back to an earlier state, as restoring a backup does. */
export async function keepState({ database }: { database: OwnDatabase }) {
  await asAdministrator(database.adminUrl, async (admin) => {
    for (const table of logTables) await admin.query(`create table kept_${table} as table ${table}`)
  })
  return () =>
    asAdministrator(database.adminUrl, async (admin) => {
      await admin.query('set session_replication_role = replica')
      for (const table of logTables) {
        await admin.query(`alter table ${table} disable trigger all`)
        await admin.query(`truncate ${table}`)
        await admin.query(`insert into ${table} overriding system value select * from kept_${table}`)
        await admin.query(`alter table ${table} enable trigger all`)
      }
    })
}
