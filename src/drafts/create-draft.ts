import { sql } from 'kysely'
import { takeUse } from '../accounts/allowances.ts'
import { createOwnerLink } from '../accounts/sign-in/owner-links.ts'
import type { KeyedCall } from '../contract/call.ts'
import { OperationAnswer } from '../contract/define-operation.ts'
import { draftLimits } from '../contract/draft-limits.ts'
import { allowances } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { secondsToMidnight } from '../contract/time/utc-day.ts'
import { readBalance } from '../ledger/balance.ts'
import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identifiers.ts'
import { signatureOf } from '../posts/duplicates/signature.ts'
import { assertPassesPrefilter, assertTimely, standingLost } from '../posts/submit/admission.ts'
import type { Drafting, WaitingSubmission } from '../posts/submit/drafting.ts'
import { DryRunDone, dryRunAnswerOf } from '../posts/submit/dry-run.ts'
import { type Quote, quotePost } from '../posts/submit/quote.ts'
import { describeDraft, draftAnswer } from './draft-record.ts'
import { openStates } from './draft-states.ts'

const dayMs = 86_400_000

/** Keeps a submission that must wait, without a charge. A dry run makes the same checks and rolls back. */
async function createDraft(call: KeyedCall, submission: WaitingSubmission): Promise<OperationAnswer> {
  const { kind, body, publishAt, dryRun } = submission
  const at = call.clock.now()
  const quote = quotePost(kind, body)
  const draft = newDraft(call, submission, quote, at)
  const texts = kind.texts(body)
  const candidate = { kind, postId: draft.id, accountId: draft.account_id, texts, signature: signatureOf(texts), at }
  const work = async (tx: Transaction) => {
    const answer = await receipt(tx, call, draft)
    if (!dryRun) await call.remember(tx, answer)
    assertInRange(publishAt, at)
    assertTimely(kind, body, publishAt ?? at)
    await assertPassesPrefilter(tx, { ...candidate, obeysTestWords: call.obeysTestWords })
    await takeDraft(tx, draft.account_id, at)
    await tx
      .insertInto('drafts')
      .values({ ...draft, content: JSON.stringify(body) })
      .execute()
    if (dryRun) throw new DryRunDone((await readBalance(tx, draft.account_id)).prepaidMicros)
    return new OperationAnswer(answer.body, answer)
  }
  return inTransaction(call.db, work).catch(async (error) => {
    if (!(error instanceof DryRunDone)) throw error
    // Keeping a draft does not change the balance.
    const { balanceAfterMicros } = error
    const moderation = await submission.estimate()
    return dryRunAnswerOf({ kind, quote, balanceMicros: balanceAfterMicros, balanceAfterMicros, moderation })
  })
}

/** Keeps what must wait, for the operation that submits posts. */
export const drafting: Drafting = { answer: draftAnswer, create: createDraft }

type NewDraft = ReturnType<typeof newDraft>

function newDraft({ caller }: KeyedCall, { kind, publishAt }: WaitingSubmission, { totalMicros }: Quote, at: Date) {
  return {
    id: newId('draft', at),
    account_id: caller.accountId,
    key_id: caller.keyId,
    kind: kind.name,
    state: caller.needsApproval ? ('awaiting_approval' as const) : ('scheduled' as const),
    total_micros: totalMicros,
    publish_at: publishAt,
    expires_at: caller.needsApproval ? expiryOf(publishAt, at) : null,
    created_at: at,
  }
}

/** The owner has a week. A post that is scheduled later can be approved until a day after its time. */
const expiryOf = (publishAt: Date | null, at: Date): Date =>
  new Date(
    Math.max(
      at.getTime() + draftLimits.approvalDays * dayMs,
      (publishAt?.getTime() ?? 0) + draftLimits.lateApprovalDays * dayMs,
    ),
  )

/** The 202 response. It has a link for the owner if the owner must act. */
async function receipt(tx: Transaction, { accountPageUrl }: KeyedCall, draft: NewDraft) {
  const record = describeDraft({ ...draft, approved_at: null, decided_at: null, post_id: null, problem: null })
  const owner = { accountId: draft.account_id, accountPageUrl, at: draft.created_at }
  const forOwner = draft.state === 'awaiting_approval' && {
    account_url: await createOwnerLink(tx, owner),
    for_human: true as const,
  }
  return {
    status: 202,
    headers: { location: `/v1/drafts/${draft.id}` },
    body: { draft: record, ...forOwner },
  }
}

function assertInRange(publishAt: Date | null, at: Date): void {
  const last = new Date(at.getTime() + draftLimits.scheduledDays * dayMs)
  if (!publishAt || (publishAt > at && publishAt <= last)) return
  const detail = `must be after ${at.toISOString()} and not after ${last.toISOString()}, ${draftLimits.scheduledDays} days ahead`
  throw new Problem('invalid_query', 'The query has 1 invalid parameter.', {
    members: { errors: [{ pointer: '#/publish_at', detail }] },
  })
}

/**
 * Locks the account, so that no two calls take its last free place, and that no draft is added while the owner closes
 * the account.
 */
async function takeDraft(tx: Transaction, accountId: string, at: Date): Promise<void> {
  const { rows } = await sql`
    select from accounts where id = ${accountId} and standing = 'good' for no key update`.execute(tx)
  if (rows.length !== 1) throw standingLost()
  const { open } = await tx
    .selectFrom('drafts')
    .select((query) => query.fn.countAll<number>().as('open'))
    .where('account_id', '=', accountId)
    .where('state', 'in', openStates)
    .executeTakeFirstOrThrow()
  if (open >= draftLimits.maxOpen)
    throw new Problem('too_many_drafts', `${open} of ${draftLimits.maxOpen} drafts are waiting.`)
  const { max, problem } = allowances['drafts-per-account']
  if ((await takeUse(tx, { allowance: 'drafts-per-account', subject: accountId, at }, max)) === null)
    throw new Problem(problem, `The daily limit of ${max} drafts per account is reached.`, {
      headers: { 'retry-after': String(secondsToMidnight(at)) },
    })
}
