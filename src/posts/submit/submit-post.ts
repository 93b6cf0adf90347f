import { sql } from 'kysely'
import type { KeyedCall } from '../../contract/call.ts'
import { OperationAnswer } from '../../contract/define-operation.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { firstJob, jobKey } from '../../jobs/moderation-lanes.ts'
import type { Kind } from '../../kinds/index.ts'
import { readBalance } from '../../ledger/balance.ts'
import { charge } from '../../ledger/charges.ts'
import { paid } from '../../ledger/spending-limits.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { policy } from '../../policy/policy.ts'
import { type Signature, signatureOf } from '../duplicates/signature.ts'
import { assertReviewQuota } from '../review/review-quota.ts'
import { type ModerationEstimate, postWindows } from '../status/moderation-estimate.ts'
import { assertPassesPrefilter, assertTimely, standingLost } from './admission.ts'
import { type Quote, quotePost } from './quote.ts'

type Submission = { kind: Kind; body: object; dryRun: boolean; moderation: ModerationEstimate }

/** Stores, charges and queues a post in one transaction. A dry run does the same and rolls back. */
export async function submitPost(call: KeyedCall, { kind, body, dryRun, moderation }: Submission) {
  const at = call.clock.now()
  const quote = quotePost(kind, body)
  const texts = kind.texts(body)
  const post = {
    id: newId('post', at),
    accountId: call.caller.accountId,
    kind,
    body,
    links: quote.links,
    signature: signatureOf(texts),
    at,
  }
  const windows = postWindows(kind, body)
  const judging = { once: jobKey(post.id, 0), share: { account: post.accountId, windows } }
  const answer = receipt(post, quote, moderation)
  const work = async (tx: Transaction) => {
    if (!dryRun) await call.remember(tx, answer)
    assertTimely(kind, body, at)
    await assertPassesPrefilter(tx, { ...post, postId: post.id, texts, obeysTestWords: call.obeysTestWords })
    await assertReviewQuota(tx, post)
    await insertPost(tx, post)
    await enqueue(tx, firstJob(windows, moderation.state), { post_id: post.id, edit: 0 }, judging)
    // Comes last, because from here to the commit, all other charges to this account wait.
    await charge(tx, {
      accountId: post.accountId,
      keyId: call.caller.keyId,
      amountMicros: quote.totalMicros,
      reason: 'post',
      subject: post.id,
      at,
    })
    if (dryRun) throw new Trial((await readBalance(tx, post.accountId)).prepaidMicros)
  }
  return paid(
    call,
    () => quote.totalMicros,
    () => inTransaction(call.db, work),
  )
    .then(() => new OperationAnswer(answer.body, answer))
    .catch((error) => {
      if (error instanceof Trial) return trialAnswer(kind, quote, error.balanceAfterMicros, moderation)
      throw error
    })
}

/** Rolls back a dry run after every step has succeeded. */
class Trial extends Error {
  readonly balanceAfterMicros: number
  constructor(balanceAfterMicros: number) {
    super('a dry run ends here')
    this.balanceAfterMicros = balanceAfterMicros
  }
}

type NewPost = {
  id: string
  accountId: string
  kind: Kind
  body: object
  links: string[]
  signature: Signature | null
  at: Date
}

/**
 * Stores the post and its signature in one statement that also checks the standing. It inserts nothing if the account
 * was banned in the meantime.
 */
async function insertPost(tx: Transaction, { id, accountId, kind, body, links, signature, at }: NewPost) {
  const { words, bands, minhash } = signature ?? { words: null, bands: [], minhash: [] }
  const { rows } = await sql`
    with stored as (
      insert into posts (id, account_id, kind, status, content, facets, paid_links, created_at)
      select ${id}, id, ${kind.name}, 'queued', ${JSON.stringify(body)}::jsonb, ${JSON.stringify(kind.facets(body))}::jsonb,
        ${links}::text[], ${at}
      from accounts where id = ${accountId} and standing = 'good'
      returning id, account_id, created_at
    ), signed as (
      insert into post_signatures (post_id, account_id, words, bands, minhash, created_at)
      select id, account_id, ${words}::integer, ${bands}::integer[], ${minhash}::integer[], created_at
      from stored where ${words}::integer is not null
    )
    select from stored`.execute(tx)
  if (rows.length !== 1) throw standingLost()
}

/** The 202 response: the post's status record until it is decided. */
function receipt(post: NewPost, { totalMicros }: Quote, moderation: ModerationEstimate) {
  return {
    status: 202,
    headers: { location: `/v1/posts/${post.id}`, 'retry-after': String(moderation.retry_after_seconds) },
    body: {
      id: post.id,
      kind: post.kind.name,
      status: 'queued' as const,
      created_at: post.at.toISOString(),
      decided_at: null,
      url: null,
      charged_micros: totalMicros,
      refunded_micros: 0,
      policy_version: policy.version,
      moderation,
    },
  }
}

function trialAnswer(kind: Kind, quote: Quote, balanceAfterMicros: number, moderation: ModerationEstimate) {
  return new OperationAnswer({
    dry_run: true as const,
    kind: kind.name,
    charge: { post_micros: quote.postMicros, links_micros: quote.linksMicros, total_micros: quote.totalMicros },
    balance_micros: balanceAfterMicros + quote.totalMicros,
    balance_after_micros: balanceAfterMicros,
    standing: 'good' as const,
    prefilter: { passed: true as const, notes: [] },
    moderation: { state: moderation.state, estimated_decision_at: moderation.estimated_decision_at },
  })
}
