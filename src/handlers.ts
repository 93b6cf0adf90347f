import { forgetAllowanceDays } from './accounts/allowances.ts'
import { requeueClearing } from './accounts/closing/close-account.ts'
import { forgetAccount } from './accounts/closing/forget-account.ts'
import { mailCode } from './accounts/mails/mail-code.ts'
import { mailOwnerLink } from './accounts/mails/mail-owner-link.ts'
import type { Post } from './accounts/mails/send.ts'
import { tellOwner } from './accounts/mails/tell-owner.ts'
import { lapseDeletions } from './accounts/request-deletion.ts'
import { forgetOwnerSessions } from './accounts/sign-in/forget-owner-sessions.ts'
import { forgetAnswers } from './calls/answer-once.ts'
import type { Handlers } from './jobs/run-jobs.ts'
import { askForRecharges } from './ledger/auto-recharge.ts'
import { runCanaries } from './moderation/canaries/run-canaries.ts'
import { type Moderation, moderatePost } from './moderation/moderate-post.ts'
import { countDays } from './moderation/numbers/count-days.ts'
import { screenPost } from './moderation/screen-post.ts'
import { requeueStrandedPosts } from './moderation/sweep.ts'
import { readCard } from './payments/card.ts'
import { rechargeBalance } from './payments/recharge-balance.ts'
import { reconcileDaily } from './payments/reconcile.ts'
import { sendRefund } from './payments/send-refund.ts'
import { settlePayment } from './payments/settle-payment.ts'
import { tellProviderOfEmail } from './payments/tell-provider-of-email.ts'
import type { Payments } from './platform/payments/provider.ts'
import type { Sealing } from './platform/sealing.ts'
import { clearAccount } from './posts/clear-account.ts'
import { expirePosts } from './posts/expire-posts.ts'
import { forgetRejectedEdits } from './posts/forget-rejected-edits.ts'
import { forgetSignatures } from './posts/forget-signatures.ts'
import { measureReviewPace, type ReviewSettings } from './posts/review/measure-pace.ts'
import { returnReviewFees } from './posts/review/return-fees.ts'
import { tellOfReviews } from './posts/review/tell-of-reviews.ts'
import { buildPage } from './publishing/build-page.ts'
import { forgetWithdrawals } from './publishing/forget-withdrawals.ts'
import { publishPost } from './publishing/publish-post.ts'
import type { Publishing } from './publishing/publishing.ts'
import { askForTransparency } from './publishing/standing-pages.ts'
import { forgetRelayed } from './relay/forget-relayed.ts'
import { relayMessage } from './relay/relay-message.ts'
import { settleReports } from './reports/settle-reports.ts'
import { forgetStaffSessions } from './staff/forget-staff-sessions.ts'
import { mailStaffLink } from './staff/mail-staff-link.ts'
import { forgetDeliveries } from './webhooks/forget-deliveries.ts'
import { tellOfDisabled } from './webhooks/tell-of-disabled.ts'

type Parts = {
  moderation: Moderation
  publishing: Publishing
  /** How owners are written to, and where they are sent. */
  post: Post
  deskUrl: string
  sealing: Sealing
  payments: Payments
  reviews: ReviewSettings
}

/** Every feature's work for the jobs of the list. */
export function handlersOf({ moderation, publishing, post, deskUrl, sealing, payments, reviews }: Parts): Handlers {
  const { db, clock, logger, sites } = moderation
  const paying = { db, clock, logger, payments }
  return {
    'screen-post': (payload) => screenPost(moderation, payload),
    'moderate-post': (payload, { signal }) => moderatePost(moderation, payload, signal),
    'moderate-long-post': (payload, { signal }) => moderatePost(moderation, payload, signal),
    'publish-post': (payload) => publishPost(publishing, payload),
    'build-page': (payload) => buildPage(publishing, payload),
    'tell-of-disabled-webhook': ({ webhook_id }) => tellOfDisabled({ db, post, webhookId: webhook_id }),
    'mail-code': ({ code_id }) => mailCode({ db, clock, sealing, post, codeId: code_id }),
    'mail-owner-link': ({ mail_id }) => mailOwnerLink({ db, clock, post, mailId: mail_id }),
    'mail-staff-link': ({ link_id }) => mailStaffLink({ db, clock, post, deskUrl, linkId: link_id }),
    'tell-owner': ({ account_id, ...what }) => tellOwner({ db, post, accountId: account_id, ...what }),
    'relay-message': ({ relay_id }) => relayMessage({ db, clock, sites, ...post }, relay_id),
    'clear-closed-account': async ({ account_id: accountId }) => {
      await clearAccount({ db, sites, accountId, at: clock.now() })
      await forgetAccount({ db, payments, accountId, at: clock.now() })
    },
    'settle-payment': (payload) => settlePayment(paying, payload),
    'read-card': (payload) => readCard(paying, payload),
    'tell-provider-of-email': (payload) => tellProviderOfEmail(paying, payload),
    'recharge-balance': (payload) => rechargeBalance(paying, payload),
    'send-refund': (payload) => sendRefund(paying, payload),
    'ask-for-recharges': () => askForRecharges(db, clock.now()),
    'reconcile-payments': () => reconcileDaily(paying),
    'count-moderation-days': async () => {
      await countDays(db, { kinds: [...sites.keys()], at: clock.now() })
      await askForTransparency(publishing)
    },
    'run-canaries': async (_, { signal }) => {
      await runCanaries({ db, logger, model: { ...moderation.model, signal }, at: clock.now() })
    },
    'expire-posts': () => expirePosts(db, clock.now()),
    'forget-allowance-days': () => forgetAllowanceDays(db, clock.now()),
    'forget-deliveries': () => forgetDeliveries(db, clock.now()),
    'forget-idempotent-answers': () => forgetAnswers(db, clock.now()),
    'forget-owner-sessions': () => forgetOwnerSessions(db, clock.now()),
    'forget-rejected-edits': () => forgetRejectedEdits(db, clock.now()),
    'forget-relayed-messages': () => forgetRelayed(db, clock.now()),
    'forget-signatures': () => forgetSignatures(db, clock.now()),
    'forget-staff-sessions': () => forgetStaffSessions(db, clock.now()),
    'forget-withdrawals': () => forgetWithdrawals(db, clock.now()),
    'measure-review-pace': () => measureReviewPace(db, { ...reviews, at: clock.now() }),
    'return-review-fees': () => returnReviewFees({ ...reviews, db, at: clock.now() }),
    'lapse-deletions': async () => {
      await lapseDeletions(db, clock.now())
      await requeueClearing(db)
    },
    'requeue-stranded-posts': () => requeueStrandedPosts({ db, sites, at: clock.now() }),
    'settle-reports': () => settleReports(db, clock.now()),
    'tell-of-reviews': () => tellOfReviews(db, clock.now()),
  }
}
