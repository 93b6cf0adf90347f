import { sql } from 'kysely'
import { type EmailSender, sendMail } from '../accounts/emails/send.ts'
import { mailboxOf } from '../accounts/mailboxes.ts'
import { hashToken, newToken } from '../accounts/sign-in/tokens.ts'
import { contactLinkSeconds } from '../contract/reader-forms.ts'
import { expiryCutoff } from '../contract/retention/periods.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { inBatches, type Purge } from '../platform/repeat.ts'
import { type Sites, siteOf } from '../posts/sites.ts'
import { contactLinkMail } from './contact-link-email.ts'
import { messageMail, relayedFrom } from './message-email.ts'
import { isBannedMailbox } from './reader-messages.ts'

type Parts = EmailSender & { db: Database; clock: Clock; sites: Sites }

/**
 * Mails the link that confirms a message. The token is made here, so that only the sender's mailbox has it, and the
 * link's time starts with the email. If the email is sent again, the earlier link stops working.
 */
export async function mailContactLink(parts: Parts, id: string): Promise<void> {
  const { db, clock, sites, accountPageUrl } = parts
  const [token, at] = [newToken(), clock.now()]
  const row = await db
    .updateTable('reader_messages')
    .set({ token_hash: hashToken(token), expires_at: new Date(at.getTime() + contactLinkSeconds * 1_000) })
    .from('posts')
    .whereRef('posts.id', '=', 'reader_messages.post_id')
    .where('posts.status', '=', 'published')
    .where('reader_messages.id', '=', id)
    .where('confirmed_at', 'is', null)
    .where('expires_at', '>', at)
    .returning(['reader_messages.post_id', 'sender_email', 'posts.kind'])
    .executeTakeFirst()
  if (!row) return forget(db, id, { isConfirmed: false })
  const { kind, baseUrl } = siteOf(sites, row.kind)
  const link = `${baseUrl}/p/${row.post_id}/contact/${token}`
  const mail = contactLinkMail({ id, to: row.sender_email, link, site: kind.site, baseUrl, accountPageUrl })
  if (!(await sendMail(parts, mail))) await forget(db, id, { isConfirmed: false })
}

/** Emails a confirmed message to the seller and forgets it. If it can no longer be sent, only forgets it. */
export async function relayReaderMessage(parts: Parts, id: string): Promise<void> {
  const relayed = await findRelayed(parts, id)
  if (relayed) await sendMail(parts, messageMail(relayed))
  await forget(parts.db, id, { isConfirmed: true })
}

/** Reads the current state: a ban, removal or deletion since the message was confirmed cancels it. */
async function findRelayed(parts: Parts, id: string) {
  const row = await parts.db
    .selectFrom('reader_messages as written')
    .innerJoin('posts', 'posts.id', 'written.post_id')
    .innerJoin('accounts as seller', 'seller.id', 'written.to_account')
    .select(['written.message', 'written.post_id', 'written.sender_name', 'written.sender_email'])
    .select(['posts.kind', 'posts.content', 'seller.email as seller_email'])
    .where('written.id', '=', id)
    .where('written.confirmed_at', 'is not', null)
    .where('posts.status', '=', 'published')
    .where('seller.standing', '<>', 'closed')
    .where('seller.email_verified_at', 'is not', null)
    .where((eb) => eb.not(isBannedMailbox(mailboxOf(sql.ref('written.sender_email')))))
    .executeTakeFirst()
  if (!row) return undefined
  return relayedFrom(parts, id, row)
}

async function forget(db: Database, id: string, { isConfirmed }: { isConfirmed: boolean }): Promise<void> {
  await db
    .deleteFrom('reader_messages')
    .where('id', '=', id)
    .where('confirmed_at', isConfirmed ? 'is not' : 'is', null)
    .execute()
}

/** Deletes messages that were not confirmed in time, and those that could not be sent. */
export const deleteExpiredReaderMessages: Purge = (db, at) =>
  inBatches(
    db,
    (batch) => sql`
      delete from reader_messages where id in (
        select id from reader_messages
        where confirmed_at <= ${expiryCutoff('reader-messages', at)} or (confirmed_at is null and expires_at <= ${at})
        limit ${batch} for update skip locked
      )`,
  )
