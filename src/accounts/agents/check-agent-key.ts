import { enqueue } from '../../jobs/enqueue.ts'
import type { JobPayload } from '../../jobs/jobs.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { findDirectoryKey } from '../../platform/http-signatures/directory.ts'
import { AgentRefusal, type AgentRefusalCode } from '../../platform/http-signatures/refusal.ts'
import { assertSignedBy } from '../../platform/http-signatures/verify-request.ts'
import { lockMark } from './agent-mark.ts'
import { type DirectoryReader, readDirectory } from './read-directory.ts'

type Checking = { db: Database; clock: Clock; outbound: DirectoryReader }
type Candidate = JobPayload<'check-agent-key'>

/**
 * Reads the directory that a signed request named, and verifies the stored signature with the key in it. Then the owner
 * decides. A new key of a domain that the owner has confirmed before replaces the old one: domains rotate their keys.
 */
export async function checkAgentKey({ db, clock, outbound }: Checking, candidate: Candidate): Promise<void> {
  const row = await rowOf(db, candidate).select(['signature_base', 'signature']).executeTakeFirst()
  if (!row?.signature_base || !row.signature) return
  const { signature_base: base, signature } = row
  const found = await check(outbound, candidate, { base, signature })
  const at = clock.now()
  await inTransaction(db, async (tx) => {
    await lockMark(tx, candidate.account_id)
    // Another run may have ended this check, or a later signature may have started a new one.
    const open = await rowOf(tx, candidate).select('signature').forUpdate().executeTakeFirst()
    if (!open?.signature?.equals(signature)) return
    if (typeof found === 'string') return settle(tx, candidate, { state: 'refused', refusal: found, checked_at: at })
    const checked = { refusal: null, checked_at: at, public_key: found }
    const replaced = await takeReplacedKey(tx, candidate)
    if (replaced) return settle(tx, candidate, { state: 'verified', ...checked, ...replaced })
    await settle(tx, candidate, { state: 'awaiting_owner', ...checked })
    const subject = `${candidate.key_id}/${at.toISOString()}`
    await enqueue(tx, 'tell-owner', { account_id: candidate.account_id, about: 'agent_to_confirm', subject })
  })
}

type Signed = { base: string; signature: Buffer }

/** The public key that made the signature, or why it is refused. */
async function check(outbound: DirectoryReader, { directory_url, key_id }: Candidate, signed: Signed) {
  try {
    const publicKey = findDirectoryKey(await readDirectory(outbound, directory_url), key_id)
    assertSignedBy(signed, publicKey)
    return publicKey
  } catch (error) {
    if (error instanceof AgentRefusal) return error.code
    throw error
  }
}

/**
 * If another key of this directory has the mark, removes that key, so that the mark moves to the candidate with the time
 * that the owner confirmed it. Its row goes: the owner has not declined it, and the domain may return to it.
 */
const takeReplacedKey = (tx: Transaction, { account_id, directory_url, key_id }: Candidate) =>
  tx
    .deleteFrom('agent_keys')
    .where('account_id', '=', account_id)
    .where('directory_url', '=', directory_url)
    .where('key_id', '<>', key_id)
    .where('state', '=', 'verified')
    .returning('decided_at')
    .executeTakeFirst()

type Settled = {
  state: 'refused' | 'awaiting_owner' | 'verified'
  refusal: AgentRefusalCode | null
  checked_at: Date
  public_key?: Buffer
  decided_at?: Date | null
}

/** Ends a check and erases its signature. */
async function settle(tx: Transaction, { account_id, directory_url, key_id }: Candidate, settled: Settled) {
  await tx
    .updateTable('agent_keys')
    .set({ ...settled, signature_base: null, signature: null, failing_since: null })
    .where('account_id', '=', account_id)
    .where('directory_url', '=', directory_url)
    .where('key_id', '=', key_id)
    .where('state', '=', 'checking')
    .execute()
}

const rowOf = (db: Database, { account_id, directory_url, key_id }: Candidate) =>
  db
    .selectFrom('agent_keys')
    .where('account_id', '=', account_id)
    .where('directory_url', '=', directory_url)
    .where('key_id', '=', key_id)
    .where('state', '=', 'checking')
