import { lapseDeletions } from './accounts/request-deletion.ts'
import { forgetAnswers } from './calls/answer-once.ts'
import type { Handlers } from './jobs/run-jobs.ts'
import { type Moderation, moderatePost } from './moderation/moderate-post.ts'
import { requeueStrandedPosts } from './moderation/sweep.ts'
import { expirePosts } from './posts/expire-posts.ts'
import { forgetSignatures } from './posts/forget-signatures.ts'

/** Every feature's work for the jobs of the list. */
export function handlersOf(moderation: Moderation): Handlers {
  const { db, clock, sites } = moderation
  return {
    'moderate-post': (payload, { signal }) => moderatePost(moderation, payload, signal),
    'expire-posts': () => expirePosts(db, clock.now()),
    'forget-idempotent-answers': () => forgetAnswers(db, clock.now()),
    'forget-signatures': () => forgetSignatures(db, clock.now()),
    'lapse-deletions': () => lapseDeletions(db, clock.now()),
    'requeue-stranded-posts': () => requeueStrandedPosts({ db, sites, at: clock.now() }),
  }
}
