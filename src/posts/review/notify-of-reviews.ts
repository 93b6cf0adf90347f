import { type RawBuilder, sql } from 'kysely'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'

const hourMs = 3_600_000
/** Changes within this time share one email. If the decision comes within this time, no email is sent. */
const gatherMs = hourMs
/** The minimum time between two emails of the same type to one account. */
const quietMs = 24 * hourMs
/** The maximum number of accounts per run. The next run, a minute later, handles the rest. */
const batchSize = 500

type Notice = {
  name: 'waiting' | 'decided'
  about: 'posts_in_review' | 'reviews_decided'
  /** The condition for reviews about which no email was sent to the owner, and the time from which they wait for it. */
  untold: RawBuilder<unknown>
  since: RawBuilder<Date>
  told: RawBuilder<unknown>
}

const notices: readonly Notice[] = [
  {
    name: 'waiting',
    about: 'posts_in_review',
    untold: sql`waits and told_waiting_at is null`,
    since: sql<Date>`opened_at`,
    told: sql`told_waiting_at`,
  },
  {
    name: 'decided',
    about: 'reviews_decided',
    // Only reviews about which the owner got the first email. There is none for quick decisions.
    untold: sql`decided_at is not null and told_waiting_at is not null and told_decided_at is null`,
    since: sql<Date>`decided_at`,
    told: sql`told_decided_at`,
  },
]

/** Emails owners about posts that wait for a person and about decisions by a person, each at most once a day. */
export async function notifyOfReviews(db: Database, at: Date): Promise<void> {
  for (const notice of notices)
    for (const accountId of await listAccounts(db, notice, at))
      await inTransaction(db, (tx) => notifyAccount(tx, notice, { accountId, at }))
}

async function listAccounts(db: Database, { name, untold, since }: Notice, at: Date): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from reviews
    where ${untold} and ${since} <= ${new Date(at.getTime() - gatherMs)} and not exists (
      select from review_mails mailed
      where mailed.account_id = reviews.account_id and about = ${name} and sent_at > ${new Date(at.getTime() - quietMs)}
    )
    group by account_id order by min(${since}) limit ${batchSize}`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Owners who turned emails off or have no verified address get none, and these reviews are not checked again. */
async function notifyAccount(tx: Transaction, notice: Notice, { accountId, at }: { accountId: string; at: Date }) {
  const isWanted = await wantsMails(tx, accountId)
  if (isWanted && !(await claimDay(tx, notice, { accountId, at }))) return
  await sql`update reviews set ${notice.told} = ${at} where account_id = ${accountId} and ${notice.untold}`.execute(tx)
  const subject = `${accountId}/${at.toISOString()}`
  if (isWanted) await enqueue(tx, 'tell-owner', { account_id: accountId, about: notice.about, subject })
}

async function wantsMails(tx: Transaction, accountId: string): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('standing', '<>', 'closed')
    .where('email_verified_at', 'is not', null)
    .where('mails_about_reviews', '=', true)
    .executeTakeFirst()
  return account !== undefined
}

/** False if another worker did it first. */
async function claimDay(tx: Transaction, { name }: Notice, { accountId, at }: { accountId: string; at: Date }) {
  const claimed = await tx
    .insertInto('review_mails')
    .values({ account_id: accountId, about: name, sent_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'about'])
        .doUpdateSet({ sent_at: at })
        .where('review_mails.sent_at', '<=', new Date(at.getTime() - quietMs)),
    )
    .returning('account_id')
    .executeTakeFirst()
  return claimed !== undefined
}
