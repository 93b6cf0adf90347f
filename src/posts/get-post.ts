import type { Call, KeyedCall } from '../contract/call.ts'
import { OperationAnswer } from '../contract/define-operation.ts'
import type { Kind } from '../kinds/index.ts'
import { postNotFound, readPublicPost } from './public/public-post.ts'
import { retryAfterSeconds } from './review/reviews.ts'
import type { Estimate } from './status/moderation-estimate.ts'
import { type FoundOwnPost, findOwnPost, readStatus } from './status/read-post-status.ts'
import type { StatusRecord } from './status/status-record.ts'

type Wanted = { kind: Kind; estimate: Estimate; id: string }

/** Returns the status record to the account that posted it, and the public post to everyone else. */
export async function getPost(call: Call, wanted: Wanted) {
  const own = call.caller && (await findOwnPost(call.db, keyOf(call as KeyedCall, wanted)))
  if (!own) return readPublicPost(call.db, wanted.kind, call.baseUrl, wanted.id)
  return statusAnswer(call, wanted, own)
}

/** Returns the status record, but only for the caller's own posts. */
export async function ownStatus(call: KeyedCall, wanted: Wanted) {
  const own = await findOwnPost(call.db, keyOf(call, wanted))
  if (!own) throw postNotFound()
  return statusAnswer(call, wanted, own)
}

const keyOf = ({ caller }: KeyedCall, { id, kind }: Wanted) => ({ id, accountId: caller.accountId, kind: kind.name })

/** Must not be cached: it belongs to one account and changes. */
async function statusAnswer(call: Call, { estimate }: Wanted, own: FoundOwnPost) {
  const at = call.clock.now()
  const context = {
    baseUrl: call.baseUrl,
    estimate: (edit: number) => estimate(call, { accountId: own.account_id, postId: own.id, edit }),
    at,
  }
  const record = await readStatus(call.db, own, context)
  const waitSeconds = waitSecondsOf(record, at)
  return new OperationAnswer(record, {
    headers: {
      'cache-control': 'private, no-store',
      ...(waitSeconds !== undefined && { 'retry-after': String(waitSeconds) }),
    },
  })
}

function waitSecondsOf({ moderation, review, edit }: StatusRecord, at: Date): number | undefined {
  const queued = moderation ?? edit?.moderation
  if (queued) return queued.retry_after_seconds
  const reviewed = review ?? edit?.review
  return reviewed && retryAfterSeconds(reviewed, at)
}
