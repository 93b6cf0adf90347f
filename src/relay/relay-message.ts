import { sql } from 'kysely'
import { type EmailSender, sendMail } from '../accounts/emails/send.ts'
import { expiryCutoff, type PurgedName } from '../contract/retention/periods.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { inBatches, type Purge } from '../platform/repeat.ts'
import type { Sites } from '../posts/sites.ts'
import { messageMail, type Relayed, relayedFrom } from './message-email.ts'

type Parts = EmailSender & { db: Database; clock: Clock; sites: Sites }

/** Emails a message to the seller and erases its text. If the message can no longer be sent, only erases the text. */
export async function relayMessage(parts: Parts, id: string): Promise<void> {
  const relayed = await findRelayed(parts, id)
  const isSent = relayed !== undefined && (await sendMail(parts, messageMail(relayed)))
  await parts.db
    .updateTable('relayed_messages')
    .set({ message: null, sent_at: isSent ? parts.clock.now() : null })
    .where('id', '=', id)
    .where('message', 'is not', null)
    .execute()
}

/** Reads the current state: a ban, removal or deletion since the message was written cancels it. */
async function findRelayed(parts: Parts, id: string): Promise<Relayed | undefined> {
  const row = await parts.db
    .selectFrom('relayed_messages as relayed')
    .innerJoin('posts', 'posts.id', 'relayed.post_id')
    .innerJoin('accounts as sender', 'sender.id', 'relayed.from_account')
    .innerJoin('accounts as seller', 'seller.id', 'relayed.to_account')
    .select(['relayed.message', 'relayed.post_id', 'posts.kind', 'posts.content'])
    .select(['sender.name as sender_name', 'sender.email as sender_email', 'seller.email as seller_email'])
    .where('relayed.id', '=', id)
    .where('posts.status', '=', 'published')
    .where('sender.standing', '=', 'good')
    .where('sender.email_verified_at', 'is not', null)
    .where('seller.standing', '<>', 'closed')
    .where('seller.email_verified_at', 'is not', null)
    .executeTakeFirst()
  if (!row?.message) return undefined
  return relayedFrom(parts, id, { ...row, message: row.message })
}

/** What expires of messages to sellers. */
export const relayPurges = {
  'relay-texts': (db, at) =>
    inBatches(
      db,
      (batch) => sql`
        update relayed_messages set message = null where id in (
          select id from relayed_messages where message is not null and created_at <= ${expiryCutoff('relay-texts', at)}
          limit ${batch} for no key update skip locked
        )`,
    ),
  relays: (db, at) =>
    inBatches(
      db,
      (batch) => sql`
        delete from relayed_messages where id in (
          select id from relayed_messages where created_at <= ${expiryCutoff('relays', at)}
          limit ${batch} for update skip locked
        )`,
    ),
} satisfies Partial<Record<PurgedName, Purge>>
