import { lapseDeletions } from './accounts/request-deletion.ts'
import { forgetAllowanceDays } from './calls/allowances.ts'
import { forgetAnswers } from './calls/answer-once.ts'
import type { Handlers } from './jobs/run-jobs.ts'
import { type Moderation, moderatePost } from './moderation/moderate-post.ts'
import { requeueStrandedPosts } from './moderation/sweep.ts'
import type { Mailer } from './platform/mailer.ts'
import { expirePosts } from './posts/expire-posts.ts'
import { forgetSignatures } from './posts/forget-signatures.ts'
import { buildPage } from './publishing/build-page.ts'
import { forgetWithdrawals } from './publishing/forget-withdrawals.ts'
import { publishPost } from './publishing/publish-post.ts'
import type { Publishing } from './publishing/publishing.ts'
import { settleReports } from './reports/settle-reports.ts'
import { forgetDeliveries } from './webhooks/forget-deliveries.ts'
import { tellOfDisabled } from './webhooks/tell-of-disabled.ts'

type Parts = {
  moderation: Moderation
  publishing: Publishing
  /** How owners are written to, and where they are sent. */
  post: { mailer: Mailer; accountPageUrl: string }
}

/** Every feature's work for the jobs of the list. */
export function handlersOf({ moderation, publishing, post }: Parts): Handlers {
  const { db, clock, sites } = moderation
  return {
    'moderate-post': (payload, { signal }) => moderatePost(moderation, payload, signal),
    'publish-post': (payload) => publishPost(publishing, payload),
    'build-page': (payload) => buildPage(publishing, payload),
    'tell-of-disabled-webhook': ({ webhook_id }) => tellOfDisabled({ db, ...post, webhookId: webhook_id }),
    'expire-posts': () => expirePosts(db, clock.now()),
    'forget-allowance-days': () => forgetAllowanceDays(db, clock.now()),
    'forget-deliveries': () => forgetDeliveries(db, clock.now()),
    'forget-idempotent-answers': () => forgetAnswers(db, clock.now()),
    'forget-signatures': () => forgetSignatures(db, clock.now()),
    'forget-withdrawals': () => forgetWithdrawals(db, clock.now()),
    'lapse-deletions': () => lapseDeletions(db, clock.now()),
    'requeue-stranded-posts': () => requeueStrandedPosts({ db, sites, at: clock.now() }),
    'settle-reports': () => settleReports(db, clock.now()),
  }
}
