import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { agentChecksPerDay, maxWaitingAgents } from '../../contract/agent-limits.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { AgentRefusal, type AgentRefusalCode } from '../../platform/http-signatures/refusal.ts'
import {
  assertSignedBy,
  type ReadSignature,
  type ReceivedMessage,
  readSignature,
} from '../../platform/http-signatures/verify-request.ts'
import { returnUse, takeUse } from '../allowances.ts'

/** A refusal is remembered this long before the directory is read again. */
export const refusalSeconds = 300

/** How often a mark notes that its agent has signed. */
const renewalSeconds = 86_400

/** A check whose job was lost is started again after this time. */
const lostCheckSeconds = 3_600

type Noted = { accountId: string; request: ReceivedMessage; at: Date }

/**
 * Reads the signature of a request that an API key admitted, and asks a worker to check a key that is new. Never reads a
 * directory itself.
 */
export async function noteSignature(db: Database, { accountId, request, at }: Noted): Promise<void> {
  const read = readOrRefuse(request, at)
  if ('refusal' in read) return recordRefusal(db, { accountId, refusal: read.refusal, at })
  const known = await findRow(db, accountId, read)
  if (known?.state === 'verified') return renewMark(db, accountId, { read, known, at })
  if (!isNew(known, at)) return
  const refusal = await inTransaction(db, (tx) => addCandidate(tx, accountId, read, at))
  if (refusal) await recordRefusal(db, { accountId, refusal, at })
}

function readOrRefuse(request: ReceivedMessage, at: Date): ReadSignature | { refusal: AgentRefusalCode } {
  try {
    return readSignature(request, at)
  } catch (error) {
    if (error instanceof AgentRefusal) return { refusal: error.code }
    throw error
  }
}

const before = (at: Date, seconds: number) => new Date(at.getTime() - seconds * 1_000)

type Known = NonNullable<Awaited<ReturnType<typeof findRow>>>

const findRow = (db: Database, accountId: string, { agentUrl, keyId }: ReadSignature) =>
  db
    .selectFrom('agent_keys')
    .select(['state', 'checked_at', 'signed_at', 'public_key'])
    .where('account_id', '=', accountId)
    .where('directory_url', '=', agentUrl)
    .where('key_id', '=', keyId)
    .executeTakeFirst()

/** Whether the key has not been checked yet, or may be checked again. A daily job checks the known ones. */
function isNew(row: Known | undefined, at: Date): boolean {
  if (!row) return true
  if (row.state === 'checking') return row.signed_at < before(at, lostCheckSeconds)
  const isOver = row.state === 'refused' || row.state === 'lost'
  return isOver && (row.checked_at ?? row.signed_at) < before(at, refusalSeconds)
}

type Renewal = { read: ReadSignature; known: Known; at: Date }

/** Notes once a day that the agent of a mark still signs. Its key is known, so no directory has to be read. */
async function renewMark(db: Database, accountId: string, { read, known, at }: Renewal): Promise<void> {
  if (!known.public_key || known.signed_at >= before(at, renewalSeconds)) return
  try {
    assertSignedBy(read, known.public_key)
  } catch (error) {
    if (error instanceof AgentRefusal) return recordRefusal(db, { accountId, refusal: error.code, at })
    throw error
  }
  await inTransaction(db, async (tx) => {
    if (!(await takeNonce(tx, read, at))) return
    await tx
      .updateTable('agent_keys')
      .set({ signed_at: at })
      .where('account_id', '=', accountId)
      .where('directory_url', '=', read.agentUrl)
      .where('key_id', '=', read.keyId)
      .where('state', '=', 'verified')
      .execute()
  })
}

async function addCandidate(
  tx: Transaction,
  accountId: string,
  read: ReadSignature,
  at: Date,
): Promise<AgentRefusalCode | null> {
  const use = { allowance: 'agent-checks-per-account' as const, subject: accountId, at }
  if ((await takeUse(tx, use, agentChecksPerDay)) === null) return 'too_many_checks'
  // The row of the count is locked now, so no other signature of the account takes the last place.
  if ((await countOpen(tx, accountId, read)) >= maxWaitingAgents) {
    await returnUse(tx, use)
    return 'too_many_waiting'
  }
  if (!(await takeNonce(tx, read, at))) return 'nonce_reused'
  const { agentUrl: directory_url, keyId: key_id, domain, base: signature_base, signature } = read
  const checking = { state: 'checking' as const, refusal: null, signature_base, signature, signed_at: at }
  const added = await tx
    .insertInto('agent_keys')
    .values({ account_id: accountId, directory_url, key_id, domain, ...checking })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'directory_url', 'key_id'])
        .doUpdateSet({ ...checking, failing_since: null })
        .where(({ eb, or, and }) =>
          or([
            eb('agent_keys.state', 'in', ['refused', 'lost']),
            and([
              eb('agent_keys.state', '=', 'checking'),
              eb('agent_keys.signed_at', '<', before(at, lostCheckSeconds)),
            ]),
          ]),
        ),
    )
    .returning('account_id')
    .executeTakeFirst()
  if (added)
    await enqueue(
      tx,
      'check-agent-key',
      { account_id: accountId, directory_url, key_id },
      { once: `${accountId}/${domain}/${key_id}` },
    )
  return null
}

/** Other keys of the account that are being checked or wait for its owner. */
async function countOpen(tx: Transaction, accountId: string, { agentUrl, keyId }: ReadSignature): Promise<number> {
  const { count } = await tx
    .selectFrom('agent_keys')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('state', 'in', ['checking', 'awaiting_owner'])
    .where(({ not, and, eb }) => not(and([eb('directory_url', '=', agentUrl), eb('key_id', '=', keyId)])))
    .executeTakeFirstOrThrow()
  return count
}

/** False if a signature with this nonce was used before: also by another account. */
async function takeNonce(tx: Transaction, { keyId, nonce, expiresAt }: ReadSignature, at: Date) {
  const hash = createHash('sha256').update(nonce).digest()
  const { rows } = await sql`
    insert into agent_nonces (key_id, nonce, expires_at) values (${keyId}, ${hash}, ${expiresAt})
    on conflict (key_id, nonce) do update set expires_at = excluded.expires_at
    where agent_nonces.expires_at <= ${at} returning key_id`.execute(tx)
  return rows.length > 0
}

/** Stored when it changes, and otherwise once an hour. */
async function recordRefusal(db: Database, row: { accountId: string; refusal: AgentRefusalCode; at: Date }) {
  await sql`
    insert into agent_refusals (account_id, refusal, refused_at) values (${row.accountId}, ${row.refusal}, ${row.at})
    on conflict (account_id) do update set refusal = excluded.refusal, refused_at = excluded.refused_at
    where agent_refusals.refusal <> excluded.refusal
      or agent_refusals.refused_at < ${before(row.at, 3_600)}`.execute(db)
}
