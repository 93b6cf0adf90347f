import { sql } from 'kysely'
import { ownerCodes } from '../../contract/limits.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Transaction } from '../../platform/database.ts'

const hourMs = 3_600_000

/** When the account may be mailed a code or a link again; null when it may now. No other is mailed one before the commit. */
export async function readNextSend(tx: Transaction, accountId: string, at: Date): Promise<Date | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`owner mails ${accountId}`}, 0))`.execute(tx)
  const since = new Date(at.getTime() - hourMs)
  const { rows } = await sql<{ sent_at: Date }>`
    select created_at as sent_at from owner_codes where account_id = ${accountId} and created_at > ${since}
    union all
    select asked_at from owner_link_mails where account_id = ${accountId} and asked_at > ${since}
    order by sent_at desc offset ${ownerCodes.sendsPerHour - 1} limit 1`.execute(tx)
  return rows[0] ? new Date(rows[0].sent_at.getTime() + hourMs) : null
}

/** Has a link mailed to the owner, unless the account has been sent enough in this hour: nobody is told which. */
export async function askForLink(tx: Transaction, accountId: string, at: Date): Promise<void> {
  if ((await readNextSend(tx, accountId, at)) !== null) return
  const { links } = await tx
    .selectFrom('owner_link_mails')
    .select((query) => query.fn.countAll<number>().as('links'))
    .where('account_id', '=', accountId)
    .where('asked_at', '>', new Date(at.getTime() - hourMs))
    .executeTakeFirstOrThrow()
  if (links >= ownerCodes.linksPerHour) return
  await tx.insertInto('owner_link_mails').values({ account_id: accountId, asked_at: at }).execute()
  await enqueue(tx, 'mail-owner-link', { account_id: accountId })
}
