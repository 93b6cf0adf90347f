import { WaitTimeoutError } from './errors.ts'
import type { PostStatus } from './generated/types.ts'
import { checkMs } from './options.ts'
import type { Located } from './posts.ts'
import { deadlineWith, pause, retryAfterMs } from './retry.ts'
import { unanswered } from './transport.ts'

export type WaitOptions = {
  /** It ends a request that is under way, too. Default: 10 minutes. */
  timeoutMs?: number
  /** Also wait while a person reviews the post, which can take hours. Default: false. */
  throughReview?: boolean
  signal?: AbortSignal
}

type Read = (baseUrl: string | undefined, signal: AbortSignal) => Promise<Located<PostStatus>>

/** The shortest time between two polls, and what it is if the service does not say. */
const atLeastMs = 250
const pollMs: Record<string, number> = { queued: 2_000, review: 30_000 }

/** Polls until the post and its latest edit are decided. `first` is a record that the caller has, if any. */
export async function waitUntilDecided(read: Read, first: PostStatus | undefined, options: WaitOptions) {
  const { timeoutMs = 600_000, throughReview = false, signal } = options
  const isOpen = (status?: string) => status === 'queued' || (throughReview && status === 'review')
  const isWaiting = ({ status, edit }: PostStatus) => isOpen(status) || isOpen(edit?.status)
  checkMs('timeoutMs', timeoutMs)
  const deadline = deadlineWith(signal)
  deadline.start(timeoutMs)
  let located: Located<PostStatus> | undefined
  let post = first
  try {
    while (!post || isWaiting(post)) {
      if (post) await pause(waitFor(post, located?.headers), deadline.signal)
      located = await read(located?.baseUrl, deadline.signal)
      post = located.body
    }
    return post
  } catch (error) {
    if (signal?.aborted || error !== deadline.signal.reason) throw error
    throw post ? new WaitTimeoutError(post, timeoutMs) : unanswered(timeoutMs, error)
  } finally {
    deadline.close()
  }
}

function waitFor({ status, moderation, edit }: PostStatus, headers?: Headers): number {
  const toldSeconds = (moderation ?? edit?.moderation)?.retry_after_seconds
  const byStatus = pollMs[status] ?? pollMs[edit?.status ?? ''] ?? 0
  return Math.max(atLeastMs, retryAfterMs(headers, Date.now()) ?? (toldSeconds ? toldSeconds * 1_000 : byStatus))
}
