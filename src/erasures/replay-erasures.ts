import { sql } from 'kysely'
import { closeAccount } from '../accounts/deletion/close-account.ts'
import { type DraftState, openStates } from '../drafts/draft-states.ts'
import { decideReview, removePost } from '../moderation/decisions/decide-by-person.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { isAbusive } from '../policy/policy.ts'
import { clearAccount, erasePost } from '../posts/deletion.ts'
import { type Sites, siteOf } from '../posts/sites.ts'
import { lockPost } from '../posts/status/change-status.ts'
import { undecided } from '../posts/status/lifecycle.ts'
import { disableMember } from '../staff/members.ts'
import { endWebhook } from '../webhooks/manage-webhooks.ts'
import type { Erasure, ErasureKind } from './erasure-log.ts'

/** `done`: repeated now. `already`: the backup has it. `absent`: what was erased came after the restored time. */
export type Replayed = 'done' | 'already' | 'absent'
export type ReplayCounts = Record<ErasureKind, Record<Replayed, number>>

export type ErasureReplay = {
  /** As broadside_migrator: no role of the application may do all of it. */
  db: Database
  sites: Sites
  erasures: readonly Erasure[]
  actor: string
  at: Date
  onProgress?: (done: number, total: number) => void
}

/**
 * Repeats erasures on a restored database, each in a separate transaction. Repeating it again changes nothing. A post
 * that was removed and restored later stays as it is: the last line about it counts.
 */
export async function replayErasures({ db, sites, erasures, actor, at, onProgress }: ErasureReplay) {
  const counts: Partial<ReplayCounts> = {}
  const last = lastOfEach(erasures)
  for (const [index, erasure] of last.entries()) {
    const replayed = await replayOne({ db, sites, actor, at }, erasure)
    counts[erasure.kind] ??= { done: 0, already: 0, absent: 0 }
    ;(counts as ReplayCounts)[erasure.kind][replayed]++
    onProgress?.(index + 1, last.length)
  }
  return counts
}

/** The last line about each subject, in order. Nothing undoes a deletion, so a line after it does not replace it. */
export function lastOfEach(erasures: readonly Erasure[]): Erasure[] {
  const last = new Map<string, Erasure>()
  for (const erasure of erasures) {
    const key = `${erasure.kind.split('.')[0]} ${erasure.id}`
    if (last.get(key)?.kind === 'post.deleted') continue
    last.delete(key)
    last.set(key, erasure)
  }
  return [...last.values()]
}

type Parts = Omit<ErasureReplay, 'erasures' | 'onProgress'>
type Step = (tx: Transaction, parts: Parts, erasure: Erasure) => Promise<Replayed>

async function replayOne(parts: Parts, erasure: Erasure): Promise<Replayed> {
  const replayed = await inTransaction(parts.db, (tx) => steps[erasure.kind](tx, parts, erasure))
  // Also if it was closed before: the backup may be from the minute in which the account was cleared.
  if (erasure.kind === 'account.closed' && replayed !== 'absent')
    await clearAccount({ db: parts.db, sites: parts.sites, accountId: erasure.id, at: parts.at })
  return replayed
}

const steps: Record<ErasureKind, Step> = {
  'account.closed': async (tx, { at }, { id }) => {
    if (!(await exists(tx, 'accounts', id))) return 'absent'
    return (await closeAccount(tx, { accountId: id, at })) ? 'done' : 'already'
  },
  'post.deleted': async (tx, { sites, at }, { id }) => {
    const post = await lockPost(tx, id)
    if (!post) return 'absent'
    return (await erasePost(tx, siteOf(sites, post.kind).kind, post, at)) ? 'done' : 'already'
  },
  // With its consequences: the author pays the penalty and gets the strike that the restore has undone.
  'post.removed': async (tx, { sites, actor, at }, { id, category = 'low_quality' }) => {
    const post = await lockPost(tx, id)
    if (!post) return 'absent'
    const removal = { postId: id, category, actor, at }
    // It was published after the restored time, and would be again.
    const isWaiting = undecided.some((status) => status === post.status)
    const outcome = isAbusive(category) ? 'abuse' : 'low_quality'
    const isDone = isWaiting ? decideReview(tx, sites, { ...removal, outcome }) : removePost(tx, sites, removal)
    return (await isDone) ? 'done' : 'already'
  },
  'post.restored': async (tx, _parts, { id }) => ((await exists(tx, 'posts', id)) ? 'already' : 'absent'),
  'webhook.deleted': async (tx, { at }, { id }) => {
    const webhook = await tx
      .selectFrom('webhooks')
      .select(['account_id', 'deleted_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!webhook) return 'absent'
    if (webhook.deleted_at) return 'already'
    await endWebhook(tx, { id, accountId: webhook.account_id, at })
    return 'done'
  },
  'key.revoked': (tx, { at }, { id }) => revoke(tx, 'api_keys', id, at),
  'staff.disabled': async (tx, { at }, { id }) => {
    if (!(await exists(tx, 'staff', id))) return 'absent'
    return (await disableMember(tx, { staffId: id, at })) ? 'done' : 'already'
  },
  'passkey.revoked': (tx, { at }, { id }) => revoke(tx, 'passkeys', id, at),
  'draft.withdrawn': (tx, { at }, { id }) => withdrawDraft(tx, id, at),
}

async function exists(tx: Transaction, table: 'accounts' | 'posts' | 'staff', id: string): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} where id = ${id}`.execute(tx)
  return rows.length > 0
}

async function revoke(tx: Transaction, table: 'api_keys' | 'passkeys', id: string, at: Date): Promise<Replayed> {
  const { rows } = await sql<{ revoked_at: Date | null }>`
    select revoked_at from ${sql.table(table)} where id = ${id} for update`.execute(tx)
  if (!rows[0]) return 'absent'
  if (rows[0].revoked_at) return 'already'
  await sql`update ${sql.table(table)} set revoked_at = ${at} where id = ${id}`.execute(tx)
  return 'done'
}

async function withdrawDraft(tx: Transaction, id: string, at: Date): Promise<Replayed> {
  const { rows } = await sql<{ state: DraftState }>`select state from drafts where id = ${id} for update`.execute(tx)
  const [draft] = rows
  if (!draft) return 'absent'
  if (!openStates.some((state) => state === draft.state)) return 'already'
  await sql`update drafts set state = 'cancelled', content = null, decided_at = ${at} where id = ${id}`.execute(tx)
  return 'done'
}

/** Ends every session of owners and staff: some were signed out after the restored time. Returns how many. */
export async function endAllSessions(tx: Transaction, at: Date): Promise<number> {
  let ended = 0
  for (const table of ['owner_sessions', 'staff_sessions'] as const) {
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ended_at = ${at} where ended_at is null`.execute(tx)
    ended += Number(numAffectedRows ?? 0n)
  }
  return ended
}
