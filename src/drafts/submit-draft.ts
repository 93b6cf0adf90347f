import { sql } from 'kysely'
import { Problem } from '../contract/problems/problem.ts'
import { fieldErrorsOf } from '../contract/problems/validation-errors.ts'
import { postsNeedApproval, type Scope } from '../contract/scopes.ts'
import type { Kind } from '../kinds/index.ts'
import { lockBalance } from '../ledger/balance.ts'
import { paid } from '../ledger/spending-limits.ts'
import type { Clock } from '../platform/clock.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { type Sites, siteOf } from '../posts/sites.ts'
import type { ModerationEstimate, QueuePlace } from '../posts/status/moderation-estimate.ts'
import { postWindows } from '../posts/status/moderation-estimate.ts'
import { acceptPost, newPost } from '../posts/submit/accept-post.ts'
import { announceDraft } from './announce-draft.ts'
import { keptProblem } from './draft-record.ts'

export type SubmittingDrafts = {
  db: Database
  clock: Clock
  sites: Sites
  /** Provided by the code that runs the model. */
  estimate: (place: QueuePlace) => Promise<ModerationEstimate>
}

/**
 * Submits a draft whose time has come like any post, in one transaction: the post, its moderation job, the charge, the
 * draft's end and its event. If the post is refused, the draft fails and nothing is charged. Runs any number of times.
 */
export async function submitDraft(parts: SubmittingDrafts, id: string): Promise<void> {
  const { db, clock, sites } = parts
  const at = clock.now()
  const draft = await findDue(db, id, at)
  if (!draft) return
  const { kind } = siteOf(sites, draft.kind)
  const place = { accountId: draft.account_id, windows: postWindows(kind, draft.content as object) }
  const { state } = await parts.estimate(place)
  const caller = { accountId: draft.account_id, keyId: draft.key_id }
  try {
    await paid(
      { db, clock, caller },
      () => draft.total_micros,
      () => inTransaction(db, (tx) => submitOne(tx, { draft, kind, state, at })),
    )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await inTransaction(db, (tx) => failDraft(tx, draft, error, at))
  }
}

type DueDraft = {
  id: string
  account_id: string
  key_id: string
  kind: string
  content: unknown
  total_micros: number
  approved_at: Date | null
}

const isDue = (at: Date) => sql<boolean>`state = 'scheduled' and coalesce(publish_at, approved_at) <= ${at}`

const selectDue = (db: Database, id: string, at: Date) =>
  db
    .selectFrom('drafts')
    .select(['id', 'account_id', 'key_id', 'kind', 'content', 'total_micros', 'approved_at'])
    .where('id', '=', id)
    .where(isDue(at))

const findDue = (db: Database, id: string, at: Date): Promise<DueDraft | undefined> =>
  selectDue(db, id, at).executeTakeFirst()

const lockDue = (tx: Transaction, id: string, at: Date): Promise<DueDraft | undefined> =>
  selectDue(tx, id, at).forUpdate().executeTakeFirst()

type Submitted = { draft: DueDraft; kind: Kind; state: ModerationEstimate['state']; at: Date }

/** Locks the balance first, in the same order as closing an account, which deletes the account's drafts. */
async function submitOne(tx: Transaction, { draft, kind, state, at }: Submitted): Promise<void> {
  const { id, account_id: accountId, key_id: keyId, total_micros: priceMicros } = draft
  await lockBalance(tx, accountId)
  const locked = await lockDue(tx, id, at)
  if (!locked) return
  if (!locked.approved_at) await assertKeyStillPublishes(tx, keyId)
  const post = newPost(kind, readBody(kind, locked.content), { accountId, at })
  // First, because the database lets a worker insert a post and charge for it only for a submitted draft.
  await tx
    .updateTable('drafts')
    .set({ state: 'submitted', post_id: post.id, content: null, decided_at: at })
    .where('id', '=', id)
    .execute()
  // Test words were obeyed when the draft was created.
  await acceptPost(tx, { post, keyId, priceMicros, state, obeysTestWords: false })
  await announceDraft(tx, { id, kind: kind.name, accountId, state: 'submitted', postId: post.id, at })
}

/** The rules may have changed since the draft was created. */
function readBody(kind: Kind, content: unknown): object {
  const read = kind.body.safeParse(content)
  if (read.success) return read.data
  throw new Problem('validation_failed', 'The post no longer follows the rules for its fields.', {
    members: { errors: fieldErrorsOf(read.error) },
  })
}

/** What the owner has not approved depends on the key that sent it: it must still be allowed to publish. */
async function assertKeyStillPublishes(tx: Transaction, keyId: string): Promise<void> {
  const key = await tx
    .selectFrom('api_keys')
    .select(['scope', 'scopes', 'revoked_at'])
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (!key || key.revoked_at) throw new Problem('invalid_api_key', 'The key that sent this draft was revoked.')
  const scopes = key.scopes as Scope[] | null
  const publishes = scopes ? scopes.includes('publish') && !postsNeedApproval(scopes) : key.scope === 'full'
  if (!publishes)
    throw new Problem('insufficient_scope', 'The key that sent this draft may no longer publish without approval.')
}

/** In a second transaction, because the refusal has ended the first one. */
async function failDraft(tx: Transaction, { id, account_id: accountId, kind }: DueDraft, refusal: Problem, at: Date) {
  if (!(await lockDue(tx, id, at))) return
  await tx
    .updateTable('drafts')
    .set({ state: 'failed', problem: JSON.stringify(keptProblem(refusal)), decided_at: at })
    .where('id', '=', id)
    .execute()
  await announceDraft(tx, { id, kind, accountId, state: 'failed', problem: refusal.code, at })
}
