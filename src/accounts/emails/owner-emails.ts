import { amount } from '../../markup/money.ts'
import type { Database } from '../../platform/database/database.ts'
import type { KeyScope, PostStatus } from '../../platform/database/database-types.ts'
import type { EmailPart } from './layout.ts'
import { reviewsDecidedEmail, reviewsWaitingEmail } from './review-emails.ts'
import type { EmailFacts, OwnerEmail } from './send.ts'
import { quoteName } from './send.ts'

export type OwnerEmailId =
  | 'recharge_failed'
  | 'recharge_off'
  | 'payment_disputed'
  | 'dispute_closed'
  | 'refund_failed'
  | 'key_created'
  | 'email_change_asked'
  | 'appeal_decided'
  | 'refusal_taken_back'
  | 'posts_in_review'
  | 'reviews_decided'

type WriteEmail = (db: Database, facts: EmailFacts) => Promise<OwnerEmail | null>

const toPage = (accountPageUrl: string): EmailPart => ({
  leadsTo: `${accountPageUrl}/account`,
  label: 'Open the owner page',
})

const toPost = (accountPageUrl: string, postId: string): EmailPart[] => [
  { shows: postId, label: 'Post' },
  { leadsTo: `${accountPageUrl}/account/posts/${postId}`, label: 'See its decisions' },
]

const refusalOf = (edit: number, name: string) =>
  `the refusal of ${edit > 0 ? 'an edit of a post' : 'a post'} from account ${name}`

/** The emails to owners by id, each built from the row that `subject` names; null if it no longer exists. */
export const ownerEmails: Record<OwnerEmailId, WriteEmail> = {
  /** The subject is the payment. */
  recharge_failed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const payment = await findPayment(db, accountId, subject)
    if (!payment) return null
    return {
      title: 'Your card was not charged',
      parts: [
        {
          says: `The balance of the account ${name} ran low, so we tried to charge ${dollars(payment)} to your card. ${whyFailed(payment.failure)}`,
        },
        {
          says: 'While the balance is low, we try again after an hour. After three failures in a row we turn auto-recharge off.',
        },
        toPage(accountPageUrl),
        { adds: 'Its agent can keep posting until the balance is used up.' },
      ],
    }
  },
  /** The subject is the latest failed payment. */
  recharge_off: async (db, { accountId, subject, name, accountPageUrl }) => {
    const payment = await findPayment(db, accountId, subject)
    return {
      title: 'Auto-recharge was turned off',
      parts: [
        {
          says: `Auto-recharge of the account ${name} has failed three times in a row, so we have turned it off. ${payment ? whyFailed(payment.failure) : ''}`.trim(),
        },
        { says: 'To continue, add another card or top up, and turn auto-recharge on again.' },
        toPage(accountPageUrl),
      ],
    }
  },
  /** The subject is the dispute. */
  payment_disputed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const dispute = await findDispute(db, accountId, subject)
    if (!dispute) return null
    return {
      title: 'A payment to your account is disputed',
      parts: [
        {
          says: `A cardholder disputed a payment of ${dollars(dispute)} to the account ${name}.`,
        },
        {
          says: 'We hold that amount until the bank decides. We took it from the balance, and any amount above the balance is now owed. Auto-recharge is off.',
        },
        toPage(accountPageUrl),
        { adds: 'If it is your card and the dispute is a mistake, tell your bank that you made the payment.' },
      ],
    }
  },
  /** The subject is the dispute. */
  dispute_closed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const dispute = await findDispute(db, accountId, subject)
    if (!dispute || dispute.status === 'open') return null
    const outcome =
      dispute.status === 'won'
        ? `The bank decided in our favour, and we returned ${dollars(dispute)} to the account ${name}.`
        : `The bank returned ${dollars(dispute)} to the cardholder. The amount stays deducted from the account ${name}.`
    return { title: 'A payment dispute is closed', parts: [{ says: outcome }, toPage(accountPageUrl)] }
  },
  /** The subject is the refund. */
  refund_failed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const refund = await db
      .selectFrom('payment_refunds')
      .innerJoin('payments', 'payments.id', 'payment_refunds.payment_id')
      .select('payment_refunds.amount_micros')
      .where('payment_refunds.id', '=', subject)
      .where('payments.account_id', '=', accountId)
      .executeTakeFirst()
    if (!refund) return null
    return {
      title: 'A refund did not reach your card',
      parts: [
        {
          says: `We refunded ${dollars(refund)} from account ${name} to the card used for the payment, but the bank rejected the refund. The card may have been closed.`,
        },
        {
          says: 'The amount is back in your balance. You can spend it, or reply to this email and we will find another way.',
        },
        toPage(accountPageUrl),
      ],
    }
  },
  /** The subject is the key. */
  key_created: async (db, { accountId, subject, name, accountPageUrl }) => {
    const key = await db
      .selectFrom('api_keys')
      .select(['name', 'last4', 'scope'])
      .where('id', '=', subject)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (!key) return null
    return {
      title: 'A new API key was created',
      parts: [
        {
          says: `The account ${name} has a new API key. With this key an agent can ${holdersMay[key.scope]}.`,
        },
        { shows: `${quoteName(key.name)}, ends in ${key.last4}`, label: 'Key' },
        { adds: 'If this was not you, open the owner page, revoke the key, and sign out everywhere.' },
        toPage(accountPageUrl),
      ],
    }
  },
  /** The subject is the code that was sent to the new address. */
  email_change_asked: async (db, { accountId, subject, name, accountPageUrl }) => {
    const code = await db
      .selectFrom('owner_codes')
      .select('email_before')
      .where('id', '=', Number(subject))
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (!code?.email_before) return null
    return {
      to: code.email_before,
      title: 'Your address is about to change',
      parts: [
        {
          says: `Someone who is signed in as the owner of the account ${name} wants to change its email address. We emailed a code to the new address. Once it is entered, this address will no longer give access.`,
        },
        { says: 'If this was you, you do not need to do anything.' },
        {
          says: 'If this was not you, open the owner page now and sign out everywhere. If you can no longer sign in, reply to this email.',
        },
        toPage(accountPageUrl),
      ],
    }
  },
  /** The subject is the post and, after a slash, the number of the refused edit: 0 for the post itself. */
  appeal_decided: async (db, { accountId, subject, name, accountPageUrl }) => {
    const [postId = '', edit] = subject.split('/')
    const appeal = await db
      .selectFrom('appeals')
      .innerJoin('posts', 'posts.id', 'appeals.post_id')
      .select(['appeals.outcome', 'appeals.edit', 'posts.status', 'posts.published_at'])
      .where('appeals.post_id', '=', postId)
      .where('appeals.edit', '=', Number(edit))
      .where('appeals.account_id', '=', accountId)
      .executeTakeFirst()
    if (!appeal?.outcome) return null
    const upheld = appeal.outcome === 'upheld'
    const refusal = refusalOf(appeal.edit, name)
    return {
      title: upheld ? 'Your appeal was upheld' : 'Your appeal was dismissed',
      parts: [
        {
          says: upheld
            ? `A person reviewed ${refusal} and reversed it. ${whatComesBack(appeal)}`
            : `A person who did not make the decision reviewed ${refusal} and confirmed it. Money and strikes do not change.`,
        },
        ...toPost(accountPageUrl, postId),
        ...(upheld
          ? []
          : [{ adds: 'You can appeal a post once, and each rejected edit once, so this decision is final.' }]),
      ],
    }
  },
  /** The subject is as for an appeal; a third part, `unbanned`, means that it ended a ban for strikes. */
  refusal_taken_back: async (db, { accountId, subject, name, accountPageUrl }) => {
    const [postId = '', edit, unbanned] = subject.split('/')
    const restored = await db
      .selectFrom('moderation_decisions')
      .innerJoin('posts', 'posts.id', 'moderation_decisions.post_id')
      .innerJoin('accounts', 'accounts.id', 'posts.account_id')
      .select(['moderation_decisions.edit', 'posts.status', 'posts.published_at', 'accounts.standing'])
      .where('posts.id', '=', postId)
      .where('moderation_decisions.edit', '=', Number(edit))
      .where('moderation_decisions.outcome', '=', 'restore')
      .where('posts.account_id', '=', accountId)
      .limit(1)
      .executeTakeFirst()
    if (!restored) return null
    const isUnbanned = unbanned === 'unbanned' && restored.standing === 'good'
    return {
      title: 'A refusal was reversed',
      parts: [
        {
          says: `A person reviewed ${refusalOf(restored.edit, name)} and reversed it. ${whatComesBack(restored)}`,
        },
        ...(isUnbanned ? [{ says: 'The account is no longer banned. Its agent can post again.' }] : []),
        ...toPost(accountPageUrl, postId),
      ],
    }
  },
  posts_in_review: reviewsWaitingEmail,
  reviews_decided: reviewsDecidedEmail,
}

export const isOwnerEmailId = (about: string): about is OwnerEmailId => Object.hasOwn(ownerEmails, about)

/** Searches also cost money with a read-only key. */
const holdersMay: Record<KeyScope, string> = {
  full: 'post for the account and spend its balance',
  read: 'read the account and search at its cost, but not post',
}

const findPayment = (db: Database, accountId: string, id: string) =>
  db
    .selectFrom('payments')
    .select(['amount_micros', 'failure'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

const findDispute = (db: Database, accountId: string, reference: string) =>
  db
    .selectFrom('payment_disputes')
    .innerJoin('payments', 'payments.id', 'payment_disputes.payment_id')
    .select(['payment_disputes.amount_micros', 'payment_disputes.status'])
    .where('payment_disputes.reference', '=', reference)
    .where('payments.account_id', '=', accountId)
    .executeTakeFirst()

/** A removed post becomes public again; a post that was never public does not. */
function whatComesBack({ edit, status, published_at }: Refused): string {
  const returned = 'If it caused a penalty and a strike, we reversed both.'
  if (edit > 0) return `We refunded its fee. ${returned} The edit was not applied. Your agent can send it again.`
  if (!published_at) return `We refunded its fee. ${returned} The post was not published. Your agent can send it again.`
  return status === 'published' ? `The post is public again. ${returned}` : returned
}

type Refused = { edit: number; status: PostStatus; published_at: Date | null }

const whyFailed = (failure: string | null) => failures[failure ?? ''] ?? 'The payment failed.'

const failures: Record<string, string> = {
  card_declined: 'The bank declined the payment.',
  insufficient_funds: 'The card had insufficient funds.',
  expired_card: 'The card has expired.',
  authentication_required: 'Your bank requires you to confirm the payment. Top up on the owner page to do so.',
}

/** Cards are charged in whole cents. */
const dollars = ({ amount_micros }: { amount_micros: number }) => amount(amount_micros)
