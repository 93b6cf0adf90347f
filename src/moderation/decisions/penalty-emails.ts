import { sql } from 'kysely'
import type { EmailPart } from '../../accounts/emails/layout.ts'
import type { EmailFacts, OwnerEmails } from '../../accounts/emails/notify-owner.ts'
import { strikesToBan } from '../../accounts/strikes.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { amount } from '../../markup/money.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { policy } from '../../policy/policy.ts'
import { decisionsAbout, refusalsThatStand } from '../../posts/status/refusals.ts'
import { ledgerSubject } from '../../posts/submit/quote.ts'

/** The least time between two emails about penalties. */
const quietMs = 24 * 3_600_000

type Penalised = { accountId: string; postId: string; edit: number; at: Date }

/**
 * Queues the email about a strike, which must already be added: that locks the account, so two strikes at once count
 * each other. A ban is always told; a strike only if the account got no other within a day.
 */
export async function notifyOfPenalty(tx: Transaction, { accountId, postId, edit, at }: Penalised): Promise<void> {
  const { strikes, standing, banned_for_strikes } = await tx
    .selectFrom('accounts')
    .select(['strikes', 'standing', 'banned_for_strikes'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const subject = `${postId}/${edit}`
  if (standing === 'banned' && banned_for_strikes && strikes === strikesToBan)
    await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'account_banned', subject })
  else if (standing === 'good' && !(await hadStrikeSince(tx, { accountId, postId, edit, at })))
    await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'post_penalised', subject })
}

async function hadStrikeSince(tx: Transaction, { accountId, postId, edit, at }: Penalised): Promise<boolean> {
  const other = await tx
    .selectFrom('abuse_refusals')
    .select('post_id')
    .where('account_id', '=', accountId)
    .where('refused_at', '>', new Date(at.getTime() - quietMs))
    .where((eb) => eb.or([eb('post_id', '<>', postId), eb('edit', '<>', edit)]))
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** The subject is the post and, after a slash, the number of the refused edit: 0 for the post itself. */
export const penaltyEmails = {
  post_penalised: async (db, facts) => {
    const found = await readPenalty(db, facts)
    if (!found) return null
    const { what, verb, cost, strikes } = found
    return {
      title: `${what} was ${verb} as abusive`,
      parts: [
        { says: `${what} from account ${facts.name} was ${verb}. ${cost}` },
        {
          says: `The account has ${strikes} of ${strikesToBan} strikes. With ${strikesToBan} strikes, it is banned. If the decision is wrong, appeal it: a person will review it.`,
        },
        ...found.links,
        { adds: 'We send at most one such email a day, so other posts may be affected too.' },
      ],
    }
  },
  account_banned: async (db, facts) => {
    const found = await readPenalty(db, facts)
    if (found?.standing !== 'banned') return null
    const { what, verb, cost, strikes } = found
    return {
      title: 'Your account is banned',
      parts: [
        {
          says: `The account ${facts.name} has ${strikes} of ${strikesToBan} strikes, so it is banned, and its agent can no longer post.`,
        },
        { says: `The last strike: ${what.toLowerCase()} was ${verb}. ${cost}` },
        {
          says: 'If a decision is wrong, appeal it: a person will review it. A successful appeal removes the strike and can end the ban.',
        },
        ...found.links,
      ],
    }
  },
} satisfies OwnerEmails

/** Null if the address is not verified, the post is not the account's, or the decision was reversed meanwhile. */
async function readPenalty(db: Database, { accountId, subject, accountPageUrl }: EmailFacts) {
  const [postId = '', number] = subject.split('/')
  const edit = Number(number)
  const account = await db
    .selectFrom('accounts')
    .innerJoin('posts', 'posts.account_id', 'accounts.id')
    .select(['accounts.strikes', 'accounts.standing', 'accounts.email_verified_at'])
    .where('accounts.id', '=', accountId)
    .where('posts.id', '=', postId)
    .executeTakeFirst()
  const refusal = refusalsThatStand(await decisionsAbout(db, postId)).find((decision) => decision.edit === edit)
  if (!refusal || !account?.email_verified_at) return null
  const title = policy.categories.find(({ id }) => id === refusal.category)?.title ?? refusal.category
  const links: EmailPart[] = [
    { shows: postId, label: 'Post' },
    { leadsTo: `${accountPageUrl}/account/posts/${postId}`, label: 'See the decision and appeal' },
  ]
  return {
    ...account,
    what: edit > 0 ? 'An edit of a post' : 'A post',
    verb: refusal.outcome === 'remove' ? 'removed' : 'rejected',
    cost: `Category: ${title}. Total cost: ${amount(await costOf(db, { accountId, postId, edit }))}.`,
    links,
  }
}

/** What the post or edit cost with all its penalties, minus what was returned. */
async function costOf(db: Database, { accountId, postId, edit }: Omit<Penalised, 'at'>): Promise<number> {
  const { rows } = await sql<{ micros: number }>`
    select coalesce(sum(case when reason in ('post', 'edit', 'penalty') then amount_micros else -amount_micros end), 0)::bigint
      as micros
    from ledger_transfers
    where account_id = ${accountId} and subject >= ${postId} and subject < ${`${postId}0`}
      and (subject = ${ledgerSubject(postId, edit)} or starts_with(subject, ${`${postId}/${edit}/`}))
      and reason in ('post', 'edit', 'penalty', 'refund', 'review_return', 'penalty_return')`.execute(db)
  return rows[0]?.micros ?? 0
}
