import { takeUse } from '../accounts/allowances.ts'
import { itsMailbox } from '../accounts/mailboxes.ts'
import type { Call, KeyedCall } from '../contract/call.ts'
import { OperationAnswer } from '../contract/define-operation.ts'
import { allowances } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import type { TextPart } from '../contract/text/text.ts'
import { secondsToMidnight } from '../contract/time/utc-day.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Kind } from '../kinds/index.ts'
import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identifiers.ts'
import { findRefusal, refusedBy } from '../policy/prefilter/prefilter.ts'
import { postNotFound } from '../posts/public/public-post.ts'
import { standingLost } from '../posts/submit/admission.ts'

type Writing = { post_id: string; message: string }

const answer = { status: 202, headers: {}, body: { status: 'sent' as const } }

/**
 * Stores a message to the seller of an ad until it is emailed. The job rechecks everything that may have changed.
 */
export async function writeToSeller(call: KeyedCall, kind: Kind, { post_id: postId, message }: Writing) {
  const [from, at] = [call.caller.accountId, call.clock.now()]
  const id = newId('rly', at)
  await inTransaction(call.db, async (tx) => {
    await call.remember(tx, answer)
    const mailbox = await senderMailbox(tx, from)
    assertTextsPass(call, [{ field: 'message', text: message }])
    const to = await findSeller(tx, kind, { postId, from, at })
    await countRelay(tx, { mailbox: call.sealing.pseudonymOf(mailbox), seller: to, at })
    await tx
      .insertInto('relayed_messages')
      .values({ id, post_id: postId, from_account: from, to_account: to, message, created_at: at })
      .execute()
    await enqueue(tx, 'relay-message', { relay_id: id })
  })
  return new OperationAnswer(answer.body)
}

/** The mailbox of the account's reply address. Throws if the account is not allowed to write. */
async function senderMailbox(tx: Transaction, accountId: string): Promise<string> {
  const account = await tx
    .selectFrom('accounts')
    .select(['standing', 'email_verified_at', itsMailbox.as('mailbox')])
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (account?.standing !== 'good') throw standingLost()
  if (!account.email_verified_at)
    throw new Problem(
      'email_unverified',
      'The seller would reply to your owner’s email address, which is not verified yet.',
    )
  return account.mailbox
}

/** Messages to sellers must pass the rules for posts, except those about quality. */
export function assertTextsPass({ obeysTestWords }: Pick<Call, 'obeysTestWords'>, texts: readonly TextPart[]): void {
  const finding = findRefusal(texts, { obeysTestWords, asksForQuality: false })
  if (finding) throw refusedBy(finding)
}

/** `from` is null if the sender has no account. */
type Sought = { postId: string; from: string | null; at: Date }

/** The account that placed the ad. Nobody else can find an ad that was never public. */
export async function findSeller(tx: Transaction, kind: Kind, { postId, from, at }: Sought): Promise<string> {
  const { noun } = kind.site
  const ad = await tx
    .selectFrom('posts')
    .innerJoin('accounts', 'accounts.id', 'posts.account_id')
    .select(['posts.account_id', 'posts.status', 'posts.published_at', 'posts.visible_until'])
    .select(['accounts.standing', 'accounts.email_verified_at'])
    .where('posts.id', '=', postId)
    .where('posts.kind', '=', kind.name)
    .executeTakeFirst()
  if (!ad || (!ad.published_at && ad.account_id !== from)) throw postNotFound()
  if (ad.status === 'deleted' || ad.status === 'removed')
    throw new Problem('post_gone', `The ${noun} has been taken down.`)
  if (ad.status !== 'published') throw new Problem('invalid_state', `The ${noun} is not public: it is ${ad.status}.`)
  if (ad.visible_until && ad.visible_until <= at) throw new Problem('invalid_state', `The ${noun} has expired.`)
  if (ad.standing === 'closed' || !ad.email_verified_at)
    throw new Problem('invalid_state', 'The seller cannot be reached. Retrying will not help.')
  return ad.account_id
}

type Relay = { mailbox: string; seller: string; at: Date }

const refusals = {
  'relays-per-mailbox': 'The daily limit for messages from this mailbox has been reached.',
  // Does not reveal how many messages others sent.
  'relays-per-seller': 'This seller cannot receive more messages today.',
} as const

/**
 * Counts a message for the sender's mailbox and for the seller, so that an owner with more accounts cannot send more
 * messages. Runs in the transaction that stores the message, so that only stored messages count. The order of the two
 * counts prevents deadlocks.
 */
export async function countRelay(tx: Transaction, { mailbox, seller, at }: Relay): Promise<void> {
  await countFor(tx, 'relays-per-mailbox', mailbox, at)
  await countFor(tx, 'relays-per-seller', seller, at)
}

async function countFor(tx: Transaction, allowance: keyof typeof refusals, subject: string, at: Date): Promise<void> {
  const { max } = allowances[allowance]
  if ((await takeUse(tx, { allowance, subject, at }, max)) === null) throw untilTomorrow(refusals[allowance], at)
}

/** For a daily limit that is used up. */
export const untilTomorrow = (detail: string, at: Date) =>
  new Problem('rate_limited', detail, { headers: { 'retry-after': String(secondsToMidnight(at)) } })
