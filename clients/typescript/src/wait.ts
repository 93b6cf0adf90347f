import { WaitTimeoutError } from './errors.ts'
import type { PostStatus } from './generated/types.ts'
import type { Located } from './posts.ts'
import { pause, retryAfterMs } from './retry.ts'

export type WaitOptions = {
  /** Default: 10 minutes. */
  timeoutMs?: number
  /** Also wait while a person reviews the post, which can take hours. Default: false. */
  throughReview?: boolean
  signal?: AbortSignal
}

type Read = (baseUrl: string | undefined) => Promise<Located<PostStatus>>

/** The shortest time between two polls, and what it is if the service does not say. */
const atLeastMs = 250
const pollMs: Record<string, number> = { queued: 2_000, review: 30_000 }

/** Polls until the post and its latest edit are decided. `first` is a record that the caller has, if any. */
export async function waitUntilDecided(read: Read, first: PostStatus | undefined, options: WaitOptions) {
  const { timeoutMs = 600_000, throughReview = false, signal } = options
  const isOpen = (status?: string) => status === 'queued' || (throughReview && status === 'review')
  const isWaiting = ({ status, edit }: PostStatus) => isOpen(status) || isOpen(edit?.status)
  const endsAt = Date.now() + timeoutMs
  let located = first ? undefined : await read(undefined)
  let post = first ?? (located as Located<PostStatus>).body
  while (isWaiting(post)) {
    const leftMs = endsAt - Date.now()
    if (leftMs <= 0) throw new WaitTimeoutError(post, timeoutMs)
    await pause(Math.min(leftMs, waitFor(post, located?.headers)), signal)
    located = await read(located?.baseUrl)
    post = located.body
  }
  return post
}

function waitFor({ status, moderation, edit }: PostStatus, headers = new Headers()): number {
  const toldSeconds = (moderation ?? edit?.moderation)?.retry_after_seconds
  const byStatus = pollMs[status] ?? pollMs[edit?.status ?? ''] ?? 0
  return Math.max(atLeastMs, retryAfterMs(headers, Date.now()) ?? (toldSeconds ? toldSeconds * 1_000 : byStatus))
}
