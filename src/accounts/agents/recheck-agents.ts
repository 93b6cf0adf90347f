import { sql } from 'kysely'
import { unusedMarkDays } from '../../contract/agent-limits.ts'
import { expiryCutoff } from '../../contract/retention/periods.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { AgentRefusal, type AgentRefusalCode } from '../../platform/http-signatures/refusal.ts'
import { deleteInBatches, type Purge } from '../../platform/repeat.ts'
import { enqueueMarkRefresh, lockMark } from './agent-mark.ts'
import { type DirectoryReader, findAgentKey, isWithoutKey, readDirectory } from './read-directory.ts'

/**
 * A directory is read this often; hourly while it cannot be read. The job runs every hour, so a key that disappears is
 * noticed within a day.
 */
const recheckSeconds = 23 * 3_600
const failingRecheckSeconds = 3_600 - 60
/** A mark outlives this many days without a readable directory. */
const maxFailingDays = 7

/** Directories of one run. The rest follows in the next run. */
const maxDirectories = 500
const atATime = 4
const accountsPerBatch = 100

type Rechecking = { db: Database; clock: Clock; outbound: DirectoryReader; signal: AbortSignal }

/**
 * Reads each directory with a due key once, and applies it to all accounts with its keys. Directories of marks come first:
 * keys that wait for an owner must not delay the end of a mark.
 */
export async function recheckAgents({ db, clock, outbound, signal }: Rechecking): Promise<void> {
  await refreshOutdatedMarks(db, signal)
  const { rows } = await sql<{ directory_url: string }>`
    select directory_url from agent_keys where ${isDue(clock.now())}
    group by directory_url order by bool_or(state = 'verified') desc, min(checked_at), directory_url limit ${sql.lit(maxDirectories)}`.execute(
    db,
  )
  const queue = rows.values()
  const worker = async () => {
    for (const { directory_url } of queue) {
      signal.throwIfAborted()
      await recheckDirectory({ db, clock, outbound, signal }, directory_url)
    }
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}

/** Lets the posts of accounts that were banned or unbanned follow. */
async function refreshOutdatedMarks(db: Database, signal: AbortSignal): Promise<void> {
  const rows = await db.selectFrom('agent_keys').select('account_id').where('is_outdated', '=', true).execute()
  for (const { account_id } of rows) {
    signal.throwIfAborted()
    await inTransaction(db, async (tx) => {
      await lockMark(tx, account_id)
      await tx.updateTable('agent_keys').set({ is_outdated: false }).where('account_id', '=', account_id).execute()
      await enqueueMarkRefresh(tx, account_id)
    })
  }
}

const before = (at: Date, seconds: number) => new Date(at.getTime() - seconds * 1_000)

const isDue = (at: Date) => sql<boolean>`
  state in ('awaiting_owner', 'verified') and (
    checked_at < ${before(at, recheckSeconds)}
    or failing_since is not null and checked_at < ${before(at, failingRecheckSeconds)}
  )`

type Due = { account_id: string; key_id: string; failing_since: Date | null; is_unused: boolean }

async function recheckDirectory({ db, clock, outbound, signal }: Rechecking, url: string): Promise<void> {
  const found = await readDirectory(outbound, url).catch((error) => {
    if (error instanceof AgentRefusal) return error.code
    throw error
  })
  const at = clock.now()
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await sql<Due>`
      select account_id, key_id, failing_since,
        state = 'verified' and signed_at < ${before(at, unusedMarkDays * 86_400)} as is_unused
      from agent_keys where directory_url = ${url} and ${isDue(at)}
      order by account_id, key_id limit ${sql.lit(accountsPerBatch)}`.execute(db)
    for (const row of rows) {
      const key = typeof found === 'string' ? found : findAgentKey(found, row.key_id)
      const refusal = row.is_unused ? 'no_longer_signs' : typeof key === 'string' ? key : null
      await applyCheck(db, { url, row, refusal, publicKey: typeof key === 'string' ? null : key, at })
    }
    if (rows.length < accountsPerBatch) return
  }
}

type Applied = { url: string; row: Due; refusal: AgentRefusalCode | null; publicKey: Buffer | null; at: Date }

const isFinal = (refusal: AgentRefusalCode) => refusal === 'no_longer_signs' || isWithoutKey(refusal)

/** Each row is left as checked at this time, so the loop above ends. */
function applyCheck(db: Database, { url, row, refusal, publicKey, at }: Applied): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockMark(tx, row.account_id)
    const failingSince = refusal ? (row.failing_since ?? at) : null
    const isOver = refusal !== null && (isFinal(refusal) || before(at, maxFailingDays * 86_400) >= (failingSince ?? at))
    const changed = await tx
      .updateTable('agent_keys as agent')
      .from((from) =>
        from
          .selectFrom('agent_keys')
          .select('state as state_before')
          .where('account_id', '=', row.account_id)
          .where('directory_url', '=', url)
          .where('key_id', '=', row.key_id)
          .forUpdate()
          .as('old'),
      )
      .set({
        checked_at: at,
        failing_since: isOver ? null : failingSince,
        ...(publicKey && { public_key: publicKey }),
        ...(isOver && { state: 'lost' as const, refusal }),
      })
      .where('agent.account_id', '=', row.account_id)
      .where('agent.directory_url', '=', url)
      .where('agent.key_id', '=', row.key_id)
      .where('agent.state', 'in', ['awaiting_owner', 'verified'])
      .returning('old.state_before')
      .executeTakeFirst()
    if (isOver && changed?.state_before === 'verified') await enqueueMarkRefresh(tx, row.account_id)
  })
}

/** Rows that are not in use. A check that never ended counts from its signature. */
const deleteEndedKeys: Purge = (db, at) =>
  deleteInBatches(
    db,
    'agent_keys',
    sql`state in ('checking', 'refused', 'declined', 'lost')
      and coalesce(checked_at, signed_at) < ${expiryCutoff('agent-keys', at)}`,
  )

const deleteWaitingKeys: Purge = (db, at) =>
  deleteInBatches(
    db,
    'agent_keys',
    sql`state = 'awaiting_owner' and signed_at < ${expiryCutoff('waiting-agent-keys', at)}`,
  )

export const agentPurges = {
  'agent-keys': deleteEndedKeys,
  'waiting-agent-keys': deleteWaitingKeys,
  'agent-refusals': (db, at) =>
    deleteInBatches(db, 'agent_refusals', sql`refused_at < ${expiryCutoff('agent-refusals', at)}`),
  'agent-nonces': (db, at) =>
    deleteInBatches(db, 'agent_nonces', sql`expires_at < ${expiryCutoff('agent-nonces', at)}`),
} as const satisfies Record<string, Purge>
