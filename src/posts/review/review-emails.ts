import type { DecisionOutcome, ReviewReason } from '../../../generated/database-types.ts'
import type { EmailPart } from '../../accounts/emails/layout.ts'
import type { EmailFacts, OwnerEmail, OwnerEmails } from '../../accounts/emails/notify-owner.ts'
import { shortTime } from '../../markup/dates.ts'
import type { Database } from '../../platform/database/database.ts'
import { reviewReasons } from '../../policy/reasons.ts'

/** The emails about posts that wait for a person, and about what the person decided. */
export const reviewEmails = {
  posts_in_review: reviewsWaitingEmail,
  reviews_decided: reviewsDecidedEmail,
} satisfies OwnerEmails

/** How many posts are in review, since when and why. Contains no text of posts. */
async function reviewsWaitingEmail(
  db: Database,
  { accountId, name, accountPageUrl }: EmailFacts,
): Promise<OwnerEmail | null> {
  const waiting = await db
    .selectFrom('reviews')
    .select(['reason', 'opened_at', 'fee_returned_at'])
    .where('account_id', '=', accountId)
    .where('waits', '=', true)
    .orderBy('opened_at')
    .limit(mostCounted)
    .execute()
  const [oldest] = waiting
  if (!oldest || !(await wantsMails(db, accountId))) return null
  const returned = waiting.filter(({ fee_returned_at }) => fee_returned_at !== null).length
  return {
    title: `${posts(waiting.length)} ${waiting.length === 1 ? 'is' : 'are'} in review`,
    unsubscribesAt: settingsOf(accountPageUrl),
    parts: [
      {
        says: `${posts(waiting.length)} of the account ${name} must be reviewed by a person before publication. The oldest has been waiting since ${shortTime(oldest.opened_at)}.`,
      },
      ...reasonLines(waiting.map(({ reason }) => reason)),
      {
        says: `You do not need to do anything. A person publishes or rejects each post, and we email you the result. If a review takes longer than ${await feeReturnHours(db)} hours, we return the fee and the review continues.${returned > 0 ? ` This has happened to ${posts(returned)}.` : ''}`,
      },
      { leadsTo: `${accountPageUrl}/account/posts`, label: 'See the posts' },
      ownChoice(accountPageUrl),
    ],
  }
}

/** The decisions on reviewed posts. The subject ends with the time at which they were collected. */
async function reviewsDecidedEmail(
  db: Database,
  { accountId, subject, name, accountPageUrl }: EmailFacts,
): Promise<OwnerEmail | null> {
  const decided = await db
    .selectFrom('reviews')
    .select('outcome')
    .where('account_id', '=', accountId)
    .where('told_decided_at', '=', new Date(subject.split('/')[1] ?? 0))
    .limit(mostCounted)
    .execute()
  if (decided.length === 0 || !(await wantsMails(db, accountId))) return null
  return {
    title: `A person has decided on ${posts(decided.length)}`,
    unsubscribesAt: settingsOf(accountPageUrl),
    parts: [
      { says: `A person has decided on ${posts(decided.length)} from account ${name}.` },
      ...(Object.keys(outcomes) as (keyof typeof outcomes)[]).flatMap((outcome) => {
        const count = decided.filter((one) => one.outcome === outcome).length
        return count > 0 ? [{ says: `${posts(count)}: ${outcomes[outcome]}` }] : []
      }),
      { leadsTo: `${accountPageUrl}/account/posts`, label: 'See the decisions' },
      ownChoice(accountPageUrl),
    ],
  }
}

/** Higher counts are shown as this number. */
const mostCounted = 10_000

const outcomes: Record<Extract<DecisionOutcome, 'publish' | 'low_quality' | 'abuse'>, string> = {
  publish: 'published.',
  low_quality: 'rejected for low quality. The fee has been refunded.',
  abuse: 'rejected as abusive. This costs ten times the price and adds a strike. You can appeal on the post’s page.',
}

function reasonLines(reasons: readonly ReviewReason[]): EmailPart[] {
  return (Object.keys(reviewReasons) as ReviewReason[]).flatMap((reason) => {
    const count = reasons.filter((one) => one === reason).length
    return count > 0 ? [{ says: `${posts(count)}: ${reviewReasons[reason]}` }] : []
  })
}

const posts = (count: number) => {
  const shown = count.toLocaleString('en')
  if (count >= mostCounted) return `${shown} posts or more`
  return count === 1 ? '1 post' : `${shown} posts`
}

const settingsOf = (accountPageUrl: string) => `${accountPageUrl}/account/settings#mails`

const ownChoice = (accountPageUrl: string): EmailPart => ({
  adds: `We send at most one such email a day. Edits to published posts count as posts. Turn these emails off in the settings: ${settingsOf(accountPageUrl)}`,
})

async function wantsMails(db: Database, accountId: string): Promise<boolean> {
  const { email_verified_at, mails_about_reviews } = await db
    .selectFrom('accounts')
    .select(['email_verified_at', 'mails_about_reviews'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return email_verified_at !== null && mails_about_reviews
}

async function feeReturnHours(db: Database): Promise<number> {
  const { fee_return_seconds } = await db
    .selectFrom('review_pace')
    .select('fee_return_seconds')
    .executeTakeFirstOrThrow()
  return fee_return_seconds / 3_600
}
