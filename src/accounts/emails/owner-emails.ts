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
  { shows: postId, label: 'The post' },
  { leadsTo: `${accountPageUrl}/account/posts/${postId}`, label: 'See the decisions about it' },
]

const refusalOf = (edit: number, name: string) =>
  `the refusal of ${edit > 0 ? 'a change of a post' : 'a post'} of the account ${name}`

/** What owners are told of, each with what it reads of the row that `subject` names; null when there is none. */
export const ownerEmails: Record<OwnerEmailId, WriteEmail> = {
  /** The subject is the payment. */
  recharge_failed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const payment = await findPayment(db, accountId, subject)
    if (!payment) return null
    return {
      title: 'Your card was not charged',
      parts: [
        {
          says: `The balance of the account ${name} ran low, and we tried to take ${dollars(payment)} from your card. ${whyFailed(payment.failure)}`,
        },
        {
          says: 'We try again after an hour, while the balance is low. After three failures in a row auto-recharge turns itself off.',
        },
        toPage(accountPageUrl),
        { adds: 'Its agent can go on posting until the balance is used up.' },
      ],
    }
  },
  /** The subject is the payment that failed last. */
  recharge_off: async (db, { accountId, subject, name, accountPageUrl }) => {
    const payment = await findPayment(db, accountId, subject)
    return {
      title: 'Auto-recharge was turned off',
      parts: [
        {
          says: `Auto-recharge of the account ${name} has failed three times in a row, so we have turned it off. ${payment ? whyFailed(payment.failure) : ''}`.trim(),
        },
        { says: 'To go on, put in another card or top up, and turn auto-recharge on again.' },
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
          says: `The holder of a card has asked their bank to take back ${dollars(dispute)} that had gone to the account ${name}.`,
        },
        {
          says: 'Until the bank has decided, we hold that amount back: it was taken from the balance, and what the balance did not cover is owed. Auto-recharge is off.',
        },
        toPage(accountPageUrl),
        { adds: 'If it is your own card and a mistake, tell your bank that the payment was yours.' },
      ],
    }
  },
  /** The subject is the dispute. */
  dispute_closed: async (db, { accountId, subject, name, accountPageUrl }) => {
    const dispute = await findDispute(db, accountId, subject)
    if (!dispute || dispute.status === 'open') return null
    const outcome =
      dispute.status === 'won'
        ? `The bank has left us the ${dollars(dispute)}, and we have put it back into the account ${name}.`
        : `The bank has taken the ${dollars(dispute)} back. It stays taken from the account ${name}.`
    return { title: 'The dispute of a payment is over', parts: [{ says: outcome }, toPage(accountPageUrl)] }
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
          says: `We sent ${dollars(refund)} of the account ${name} back to the card that had paid it, and the bank did not take it: the card may have been closed.`,
        },
        { says: 'The amount is in your balance again. You can spend it, or answer this mail and we find another way.' },
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
          says: `The account ${name} has a new API key. Whoever holds it can ${holdersMay[key.scope]}.`,
        },
        { shows: `${quoteName(key.name)}, ends in ${key.last4}`, label: 'The key' },
        { adds: 'Was it not you? Open the owner page, revoke the key, and sign out everywhere.' },
        toPage(accountPageUrl),
      ],
    }
  },
  /** The subject is the code that went to the new address. */
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
          says: `Somebody who is signed in as the owner of the account ${name} wants its mail to go to another address. We have mailed a code there; once it is entered, this address opens the account no longer.`,
        },
        { says: 'Was it you? Then you need not do anything.' },
        {
          says: 'Was it not you? Open the owner page now and sign out everywhere. If you can no longer get in, answer this mail.',
        },
        toPage(accountPageUrl),
      ],
    }
  },
  /** The subject is the post and, after a slash, the number of the edit that was refused: 0 for the post itself. */
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
            ? `A person has looked again at ${refusal}, and it was wrong. ${whatComesBack(appeal)}`
            : `A person who had not decided about it before has looked again at ${refusal}, and the decision stands. Money and strikes stay as they are.`,
        },
        ...toPost(accountPageUrl, postId),
        ...(upheld
          ? []
          : [{ adds: 'A post can be appealed once, and each rejected edit of it, so this decision is final here.' }]),
      ],
    }
  },
  /** The subject is as for an appeal; a third part, `unbanned`, says that a ban for strikes ended with it. */
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
      title: 'A refusal was taken back',
      parts: [
        {
          says: `A person has looked again at ${refusalOf(restored.edit, name)}, and it was wrong. ${whatComesBack(restored)}`,
        },
        ...(isUnbanned ? [{ says: 'The account is not banned any more: its agent can post again.' }] : []),
        ...toPost(accountPageUrl, postId),
      ],
    }
  },
  posts_in_review: reviewsWaitingEmail,
  reviews_decided: reviewsDecidedEmail,
}

export const isOwnerEmailId = (about: string): about is OwnerEmailId => Object.hasOwn(ownerEmails, about)

/** Searches cost also who may only read. */
const holdersMay: Record<KeyScope, string> = {
  full: 'post for the account and spend its balance',
  read: 'read what the account has and search at its cost, but cannot post',
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

/** What was removed returns; what was never public does not become so by being taken back. */
function whatComesBack({ edit, status, published_at }: Refused): string {
  const returned = 'If it had cost a penalty and a strike, both were taken back.'
  if (edit > 0) return `Its fee has come back. ${returned} The change was not made; it can be sent again.`
  if (!published_at) return `Its fee has come back. ${returned} The post was not published; it can be sent again.`
  return status === 'published' ? `The post is public again. ${returned}` : returned
}

type Refused = { edit: number; status: PostStatus; published_at: Date | null }

const whyFailed = (failure: string | null) => failures[failure ?? ''] ?? 'It did not go through.'

const failures: Record<string, string> = {
  card_declined: 'The bank declined it.',
  insufficient_funds: 'The card did not have enough on it.',
  expired_card: 'The card has expired.',
  authentication_required:
    'The bank wants you to confirm it yourself, which only a top-up on the owner page lets you do.',
}

/** Cards are charged in whole cents. */
const dollars = ({ amount_micros }: { amount_micros: number }) => `$${(amount_micros / 1_000_000).toFixed(2)}`
