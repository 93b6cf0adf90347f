import type { KeyedCall } from '../../contract/call.ts'
import { OperationAnswer } from '../../contract/define-operation.ts'
import type { Kind } from '../../kinds/index.ts'
import { readBalance } from '../../ledger/balance.ts'
import { paid } from '../../ledger/spending-limits.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { policy } from '../../policy/policy.ts'
import type { ModerationEstimate } from '../status/moderation-estimate.ts'
import { acceptPost, type NewPost, newPost } from './accept-post.ts'
import { DryRunDone, dryRunAnswerOf } from './dry-run.ts'
import { type Quote, quotePost } from './quote.ts'

type Submission = {
  kind: Kind
  body: object
  dryRun: boolean
  moderation: ModerationEstimate
}

/** Stores, charges and queues a post in one transaction. A dry run does the same and rolls back. */
export async function submitPost(call: KeyedCall, submission: Submission) {
  const { kind, body, dryRun, moderation } = submission
  const { accountId, keyId } = call.caller
  const quote = quotePost(kind, body)
  const post = newPost(kind, body, { accountId, at: call.clock.now() })
  const answer = receipt(post, quote, moderation)
  const { obeysTestWords } = call
  const { state } = moderation
  const work = async (tx: Transaction) => {
    if (!dryRun) await call.remember(tx, answer)
    await acceptPost(tx, { post, keyId, priceMicros: quote.totalMicros, state, obeysTestWords })
    if (dryRun) throw new DryRunDone((await readBalance(tx, accountId)).prepaidMicros)
    return new OperationAnswer(answer.body, answer)
  }
  return paid(
    call,
    () => quote.totalMicros,
    () => inTransaction(call.db, work),
  ).catch((error) => {
    if (!(error instanceof DryRunDone)) throw error
    const { balanceAfterMicros } = error
    const balanceMicros = balanceAfterMicros + quote.totalMicros
    return dryRunAnswerOf({ kind, quote, balanceMicros, balanceAfterMicros, moderation })
  })
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
