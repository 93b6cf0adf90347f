import type { ownerEmails as emails } from '../../../src/handlers.ts'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import type { Mail, MailError } from '../../../src/platform/mail/mailer.ts'
import { createLogger } from '../../../src/platform/observability/logger.ts'
import { policy } from '../../../src/policy/policy.ts'
import { openOwnerBrowser } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedDraft } from '../drafts/seed-draft.ts'
import { seedPost } from '../posts/create-post.ts'

export type EmailFixture = ReturnType<typeof openEmailFixture>

/** What emails to owners are made of, and a mailer that keeps them. */
export function openEmailFixture(service: Service) {
  /** The worker's mailer, with a server that responds like this. */
  function openPost(fault?: MailError) {
    const sent: Mail[] = []
    const logged: string[] = []
    const mailer = {
      send: async (mail: Mail) => {
        if (fault) throw fault
        sent.push(mail)
      },
      [Symbol.asyncDispose]: async () => {},
    }
    const logger = createLogger('info', 'test', { write: (line) => logged.push(line) })
    return { sent, logged, post: { mailer, logger, accountPageUrl: service.accountPageUrl } }
  }

  /** A visitor enters an address on the front page; the accounts are not looked up yet. */
  async function askForLink(email: string): Promise<number> {
    await openOwnerBrowser(service).submit('/find-account', { email })
    const [asked] = await service.asOwner<{ id: number }>(
      'select max(id)::int as id from owner_link_mails where email = $1',
      [email],
    )
    return Number(asked?.id)
  }

  /** A reviewer has reversed the rejection of a post (0) or of an edit; the fixture sets its status. */
  const restore = (postId: string, edit = 0) =>
    service.asOwner(
      `insert into moderation_decisions (post_id, edit, outcome, automated, actor, policy_version, decided_at)
       values ($1, $2, 'restore', false, 'operator:test', $3, $4)`,
      [postId, edit, policy.version, service.clock.now()],
    )

  async function seedPayment() {
    const { id: accountId } = await service.createAccount()
    const at = service.clock.now()
    const [paymentId, refundId] = [newId('pay', at), newId('rfd', at)]
    await service.asOwner(
      `insert into payments (id, account_id, cause, provider, amount_micros, status, failure, created_at, settled_at)
       values ($1, $2, 'recharge', 'stripe', 25000000, 'failed', 'expired_card', $3, $3)`,
      [paymentId, accountId, at],
    )
    await service.asOwner(
      `insert into payment_disputes (reference, payment_id, amount_micros, status, opened_at, closed_at)
       values ($1, $2, 24990000, 'lost', $3, $3)`,
      [`dp_${paymentId}`, paymentId, at],
    )
    await service.asOwner(
      `insert into payment_refunds (id, payment_id, amount_micros, status, created_at) values ($1, $2, 1230000, 'failed', $3)`,
      [refundId, paymentId, at],
    )
    const [key] = await service.asOwner<{ id: string; last4: string }>(
      'select id, last4 from api_keys where account_id = $1',
      [accountId],
    )
    const [code] = await service.asOwner<{ id: number }>(
      `insert into owner_codes (account_id, purpose, asked_by, email, email_before, key_id, created_at, expires_at)
       values ($1, 'change_email', sha256('x'), 'new@example.com', 'old@example.com', 'k', $2, $2) returning id`,
      [accountId, at],
    )
    const refused = await seedPost(service, kinds[0] as Kind, { accountId, status: 'rejected' })
    await service.asOwner(
      `insert into appeals (post_id, account_id, message, submitted_at, outcome, decided_at)
       values ($1, $2, 'It is fine.', $3, 'upheld', $3)`,
      [refused, accountId, at],
    )
    await restore(refused)
    const penalised = await seedPost(service, kinds[0] as Kind, { accountId, status: 'rejected' })
    await service.asOwner("update accounts set strikes = 3, standing = 'banned' where id = $1", [accountId])
    const waiting = await seedPost(service, kinds[0] as Kind, { accountId, status: 'review' })
    await service.asOwner('update accounts set email_verified_at = $2 where id = $1', [accountId, at])
    await service.asOwner(
      `insert into reviews (post_id, account_id, reason, opened_at, waits, decided_at, outcome, told_decided_at)
       values ($1, $3, 'rule', $4, true, null, null, null), ($2, $3, 'unsure', $4, false, $4, 'low_quality', $4)`,
      [waiting, refused, accountId, at],
    )
    await seedDraft(service, { accountId })
    const subjects: Record<keyof typeof emails, [subject: string, says: RegExp]> = {
      recharge_failed: [paymentId, /\$25\.00 to your card\. The card has expired/],
      recharge_off: [paymentId, /three times in a row.*The card has expired/],
      payment_disputed: [`dp_${paymentId}`, /disputed a payment of \$24\.99/],
      dispute_closed: [`dp_${paymentId}`, /returned \$24\.99 to the cardholder/],
      refund_failed: [refundId, /\$1\.23/],
      key_created: [key?.id ?? '', new RegExp(`ends in ${key?.last4}`)],
      email_change_asked: [String(code?.id), /reply to this email/],
      post_penalised: [`${penalised}/0`, /was rejected\. Category: Spam\. Total cost: \$.*3 of 3 strikes/s],
      account_banned: [`${penalised}/0`, /3 of 3 strikes, so it is banned.*Category: Spam\./s],
      appeal_decided: [`${refused}/0`, /reversed it\. We refunded its fee.*can send it again.*post_/s],
      refusal_taken_back: [`${refused}/0`, /reversed it\. We refunded its fee.*can send it again.*post_/s],
      posts_in_review: [`${accountId}/${at.toISOString()}`, /1 post: A fixed rule matched.*72 hours/s],
      drafts_waiting: [
        `${accountId}/${at.toISOString()}`,
        /asks to publish a post for \$0\.02\..*\/d\/[\w-]{43}.*> The ferry leaves/s,
      ],
      reviews_decided: [`${accountId}/${at.toISOString()}`, /1 post: rejected for low quality\. The fee/],
    }
    return { accountId, subjects }
  }

  return { openPost, askForLink, restore, seedPayment }
}
