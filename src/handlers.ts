import { eraseClosedAccount, requeueClearing } from './accounts/deletion/close-account.ts'
import { lapseDeletions } from './accounts/deletion/request-deletion.ts'
import { checkDomains } from './accounts/domain/check-domains.ts'
import type { FileReader } from './accounts/domain/read-domain-file.ts'
import { notifyOwner, type OwnerEmails } from './accounts/emails/notify-owner.ts'
import type { EmailSender } from './accounts/emails/send.ts'
import { keyEmails } from './accounts/keys/key-created-email.ts'
import { mailMailboxCode } from './accounts/mailbox-sign-in/mailbox-code-email.ts'
import { mailCode } from './accounts/sign-in/code-email.ts'
import { emailChangeEmails } from './accounts/sign-in/email-change-email.ts'
import { mailOwnerLink } from './accounts/sign-in/owner-link-email.ts'
import { draftEmails } from './drafts/draft-emails.ts'
import { notifyOfDrafts } from './drafts/notify-of-drafts.ts'
import { type SubmittingDrafts, submitDraft } from './drafts/submit-draft.ts'
import { enqueueDueDrafts, expireDrafts } from './drafts/sweep-drafts.ts'
import { assertClosingIsLogged, type WritingErasures } from './erasures/write-erasures.ts'
import type { Handlers } from './jobs/run-jobs.ts'
import { askForRecharges } from './ledger/auto-recharge.ts'
import { appealEmails } from './moderation/appeals/appeal-emails.ts'
import { penaltyEmails } from './moderation/decisions/penalty-emails.ts'
import { type Moderation, moderatePost } from './moderation/pipeline/moderate-post.ts'
import { requeueStrandedPosts } from './moderation/pipeline/requeue-stranded-posts.ts'
import { screenPost } from './moderation/pipeline/screen-post.ts'
import { countDays } from './moderation/statistics/count-days.ts'
import { estimateFor } from './moderation/status/estimate.ts'
import { readCard } from './payments/card.ts'
import { updateProviderEmail } from './payments/customer.ts'
import { paymentEmails } from './payments/payment-emails.ts'
import { rechargeBalance } from './payments/recharge-balance.ts'
import { reconcileDaily } from './payments/reconcile.ts'
import { sendRefund } from './payments/refunds/send-refund.ts'
import { settlePayment } from './payments/settle-payment.ts'
import type { PaymentService } from './platform/payments/provider.ts'
import type { Sealing } from './platform/sealing.ts'
import { clearAccount, eraseRemovedPost } from './posts/deletion.ts'
import { expirePosts } from './posts/expiry.ts'
import { refreshAuthorPages } from './posts/refresh-author-pages.ts'
import { measureReviewPace, type ReviewSettings } from './posts/review/expected-decision.ts'
import { notifyOfReviews } from './posts/review/notify-of-reviews.ts'
import { returnReviewFees } from './posts/review/return-fees.ts'
import { reviewEmails } from './posts/review/review-emails.ts'
import { buildPage } from './publishing/jobs/build-page.ts'
import { enqueueDatePages, enqueueTransparencyPage } from './publishing/jobs/enqueue-pages.ts'
import { listPost } from './publishing/jobs/list-post.ts'
import { publishPost } from './publishing/jobs/publish-post.ts'
import { purgeWithdrawals } from './publishing/jobs/purge-withdrawals.ts'
import { repairPages } from './publishing/jobs/repair-pages.ts'
import { writeProof } from './publishing/jobs/write-proof.ts'
import type { Publishing } from './publishing/publishing.ts'
import { mailContactLink, relayReaderMessage } from './relay/carry-reader-message.ts'
import { relayMessage } from './relay/relay-message.ts'
import { settleReports } from './reports/settle-reports.ts'
import { makePurger } from './retention.ts'
import { mailStaffLink } from './staff/staff-link-email.ts'
import { sendWebhookDisabledEmail } from './webhooks/webhook-disabled-email.ts'

/** The emails of all features for the job `tell-owner`. */
export const ownerEmails = {
  ...keyEmails,
  ...emailChangeEmails,
  ...paymentEmails,
  ...penaltyEmails,
  ...appealEmails,
  ...reviewEmails,
  ...draftEmails,
} satisfies OwnerEmails

type Parts = {
  moderation: Moderation
  publishing: Publishing
  /** Sends emails to owners. */
  post: EmailSender
  deskUrl: string
  sealing: Sealing
  payments: PaymentService
  reviews: ReviewSettings
  erasures: WritingErasures
  /** Reads what domains publish about their accounts. */
  outbound: FileReader
}

/** The handlers for all jobs in jobs.ts. */
export function handlersOf(parts: Parts): Handlers {
  const { moderation, publishing, post, deskUrl, sealing, payments, reviews, erasures, outbound } = parts
  const { db, clock, logger, sites } = moderation
  const paying = { db, clock, logger, payments }
  const drafts: SubmittingDrafts = { db, clock, sites, estimate: (place) => estimateFor({ db, clock }, place) }
  const purgeExpired = makePurger({ db, logger })
  return {
    'screen-post': (payload) => screenPost(moderation, payload),
    'moderate-post': (payload, { signal }) => moderatePost(moderation, payload, signal),
    'moderate-long-post': (payload, { signal }) => moderatePost(moderation, payload, signal),
    'publish-post': (payload) => publishPost(publishing, payload),
    'list-post': (payload) => listPost(publishing, payload),
    'write-proof': (payload) => writeProof(publishing, payload),
    'build-page': (payload) => buildPage(publishing, payload),
    'tell-of-disabled-webhook': ({ webhook_id }) => sendWebhookDisabledEmail({ db, post, webhookId: webhook_id }),
    'mail-code': ({ code_id }) => mailCode({ db, clock, sealing, post, codeId: code_id }),
    'mail-mailbox-code': ({ code_id }) => mailMailboxCode({ db, clock, sealing, post, codeId: code_id }),
    'mail-owner-link': ({ mail_id }) => mailOwnerLink({ db, clock, sealing, post, mailId: mail_id }),
    'mail-staff-link': ({ link_id }) => mailStaffLink({ db, clock, post, deskUrl, linkId: link_id }),
    'tell-owner': ({ account_id: accountId, ...what }) =>
      notifyOwner({ db, post, emails: ownerEmails, accountId, ...what }),
    'check-domains': (_, { signal }) => checkDomains({ db, clock, outbound, signal }),
    'refresh-author-pages': ({ account_id: accountId }, { signal }) => refreshAuthorPages({ db, accountId, signal }),
    'relay-message': ({ relay_id }) => relayMessage({ db, clock, sites, ...post }, relay_id),
    'mail-contact-link': ({ message_id }) => mailContactLink({ db, clock, sites, ...post }, message_id),
    'relay-reader-message': ({ message_id }) => relayReaderMessage({ db, clock, sites, ...post }, message_id),
    'clear-closed-account': async ({ account_id: accountId }) => {
      await assertClosingIsLogged(erasures, accountId)
      await clearAccount({ db, sites, accountId, at: clock.now() })
      await eraseClosedAccount({ db, payments, accountId, at: clock.now() })
    },
    'erase-removed-post': ({ post_id: postId }) => eraseRemovedPost({ db, sites, postId, at: clock.now() }),
    'settle-payment': (payload) => settlePayment(paying, payload),
    'read-card': (payload) => readCard(paying, payload),
    'tell-provider-of-email': (payload) => updateProviderEmail(paying, payload),
    'recharge-balance': (payload) => rechargeBalance(paying, payload),
    'send-refund': (payload) => sendRefund(paying, payload),
    'ask-for-recharges': () => askForRecharges(db, clock.now()),
    'reconcile-payments': () => reconcileDaily(paying),
    'count-moderation-days': async () => {
      await countDays(db, { kinds: [...sites.keys()], at: clock.now() })
      await enqueueTransparencyPage(publishing)
    },
    'build-date-pages': () => enqueueDatePages(publishing),
    'expire-posts': () => expirePosts(db, clock.now()),
    'submit-draft': ({ draft_id }) => submitDraft(drafts, draft_id),
    'submit-due-drafts': () => enqueueDueDrafts(db, clock.now()),
    'expire-drafts': () => expireDrafts(db, clock.now()),
    'tell-of-drafts': () => notifyOfDrafts(db, clock.now()),
    'purge-expired': (_, { signal }) => purgeExpired(clock.now(), signal),
    'forget-withdrawals': () => purgeWithdrawals(db, clock.now()),
    'repair-pages': async () => {
      const repaired = await repairPages(publishing)
      if (Object.values(repaired).some((count) => count > 0)) logger.warn(repaired, 'files did not match the database')
    },
    'measure-review-pace': () => measureReviewPace(db, { ...reviews, at: clock.now() }),
    'return-review-fees': () => returnReviewFees({ ...reviews, db, at: clock.now() }),
    'lapse-deletions': async () => {
      await lapseDeletions(db, clock.now())
      await requeueClearing(db)
    },
    'requeue-stranded-posts': () => requeueStrandedPosts({ db, sites, logger, at: clock.now() }),
    'settle-reports': () => settleReports(db, clock.now()),
    'tell-of-reviews': () => notifyOfReviews(db, clock.now()),
  }
}
