import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { PageStore } from '../platform/page-store/site-store.ts'
import { SettingsError } from '../platform/settings/settings.ts'
import { type NoteSigner, parseVerifierKey } from './notes.ts'
import { rootOfEmptyTree } from './tree/hashes.ts'

/** What is needed to append to the log and to publish it. */
export type TransparencyLog = {
  db: Database
  clock: Clock
  logger: Logger
  signer: NoteSigner
  /** The tree of files that the gateway serves at `/log/`. */
  store: PageStore
  /** Enqueues the files with the proofs of posts. They must be read after the transaction has committed. */
  enqueueProofs: (tx: Transaction, postIds: readonly string[]) => Promise<void>
}

/** The folder of the log in the page store, beside the sites. */
export const logFolder = 'log'

/** Where the log with this origin has its files in the folder of logs: those of `messages.example/log/2` are in `2/`. */
const prefixOf = (origin: string): string => /\/log\/(\d+)$/.exec(origin)?.[1]?.concat('/') ?? ''

export function readerOfLog({ read }: Pick<PageStore, 'read'>, origin: string): Pick<PageStore, 'read'> {
  return { read: (path) => read(prefixOf(origin) + path) }
}

export function storeOfLog(store: PageStore, origin: string): PageStore {
  const prefix = prefixOf(origin)
  return {
    apply: (files, fence) => store.apply(new Map([...files].map(([path, file]) => [prefix + path, file])), fence),
    read: (path) => store.read(prefix + path),
    has: (path) => store.has(prefix + path),
    writesAtOnce: store.writesAtOnce,
  }
}

/** In tables that keep the rows of closed logs, those of the open one. */
export const currentLog = sql<number>`(select number from log_head)`
/** Rows of `log_queue` and `post_proofs` below it belong to closed logs. */
export const firstOfCurrentLog = sql<number>`(select first_queue_id from log_head)`

export type StopReason = 'forked' | 'database_behind' | 'files_differ' | 'files_missing' | 'unreadable'

export type LogHead = {
  origin: string
  verifierKey: string
  size: number
  root: Buffer
  edge: Buffer[]
  publishedSize: number
  auditPosition: number
  auditNotedAt: Date | null
  stoppedReason: StopReason | null
  /** The operator says that the published files are lost, and that the database has all that they had. */
  filesLost: boolean
}

/** The state of the log, or undefined if it was never opened. */
export async function readLogHead(db: Database, { locked = false } = {}): Promise<LogHead | undefined> {
  const row = await db
    .selectFrom('log_head')
    .select(['origin', 'verifier_key', 'size', 'root', 'edge', 'published_size'])
    .select(['audit_position', 'audit_noted_at', 'stopped_reason', 'files_lost'])
    .$if(locked, (query) => query.forUpdate())
    .executeTakeFirst()
  return (
    row && {
      origin: row.origin,
      verifierKey: row.verifier_key,
      size: row.size,
      root: row.root,
      edge: row.edge,
      publishedSize: row.published_size,
      auditPosition: row.audit_position,
      auditNotedAt: row.audit_noted_at,
      stoppedReason: row.stopped_reason as StopReason | null,
      filesLost: row.files_lost,
    }
  )
}

/** The settings name another log than the database has. */
export class OtherLog extends SettingsError {}

/** Creates the log when a worker starts for the first time. Later, the origin and the key must stay the same. */
export async function openLog(db: Database, { name, verifierKey }: NoteSigner): Promise<void> {
  const row = { origin: name, verifier_key: verifierKey, root: rootOfEmptyTree }
  await db
    .insertInto('log_head')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const head = await readLogHead(db)
  if (head?.verifierKey === verifierKey) return
  throw new OtherLog(
    `The transparency log of this database is ${head?.origin}, with the key ${head?.verifierKey}; ` +
      `LOG_URL and LOG_SIGNING_KEY mean ${verifierKey}. Correct the settings, or start a new log: see ` +
      'docs/runbooks/transparency-log.md.',
  )
}

/** Whether this process may append and publish. A worker that was cut off while a new log was started has the old key. */
export const isOpenTo = ({ signer }: Pick<TransparencyLog, 'signer'>, head: LogHead | undefined): head is LogHead =>
  head !== undefined && head.stoppedReason === null && head.verifierKey === signer.verifierKey

export const keyOfLog = ({ signer }: Pick<TransparencyLog, 'signer'>) => parseVerifierKey(signer.verifierKey)

/** Stops the log: nothing is appended or published until an operator has looked at it. */
export async function stopLog({ db, clock, logger }: TransparencyLog, reason: StopReason): Promise<void> {
  const stopped = await db
    .updateTable('log_head')
    .set({ stopped_reason: reason, stopped_at: clock.now() })
    .where('stopped_reason', 'is', null)
    .returning('size')
    .executeTakeFirst()
  if (stopped) logger.error({ reason, size: stopped.size }, 'the transparency log has stopped: see the runbook')
}
