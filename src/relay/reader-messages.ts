import { sql } from 'kysely'
import { z } from 'zod'
import { takeUse } from '../accounts/allowances.ts'
import { countMailToDomain, mailboxOf } from '../accounts/mailboxes.ts'
import { isReservedName } from '../accounts/reserved-names.ts'
import { hashToken } from '../accounts/sign-in/tokens.ts'
import type { Call } from '../contract/call.ts'
import { emailAddress, line, paragraphs } from '../contract/fields.ts'
import { type AllowanceSizes, allowances, sizeOf } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { fieldErrorsOf, invalidField } from '../contract/problems/validation-errors.ts'
import { contactLinkSeconds } from '../contract/reader-forms.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Kind } from '../kinds/index.ts'
import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identifiers.ts'
import { assertTextsPass, countRelay, findSeller, untilTomorrow } from './write-to-seller.ts'

/** What somebody without an account writes: the message as in `POST /v1/relay`, and where the seller can reply to. */
const readerMessage = z.strictObject({ name: line(1, 80), email: emailAddress, message: paragraphs(20, 2_000) })

type Written = { postId: string; fields: Readonly<Record<string, unknown>>; sizes: AllowanceSizes }

/** Stores a message and mails its sender a link. The seller gets it once the sender has opened the link and confirmed. */
export async function storeReaderMessage(call: Call, kind: Kind, { postId, fields, sizes }: Written): Promise<void> {
  const { name, email, message } = validated(fields)
  if (isReservedName(name)) throw invalidField('name', 'must not suggest that you are Broadside, its staff or verified')
  assertTextsPass(call, [
    { field: 'name', text: name },
    { field: 'message', text: message },
  ])
  const at = call.clock.now()
  const id = newId('rly', at)
  await inTransaction(call.db, async (tx) => {
    const to = await findSeller(tx, kind, { postId, from: null, at })
    const mailbox = call.sealing.pseudonymOf(await writingMailbox(tx, email))
    await countForm(tx, call, { mailbox, email, at }, sizes)
    const sender = { sender_name: name, sender_email: email, sender_mailbox: mailbox }
    const expires_at = new Date(at.getTime() + contactLinkSeconds * 1_000)
    await tx
      .insertInto('reader_messages')
      .values({ id, post_id: postId, to_account: to, ...sender, message, created_at: at, expires_at })
      .execute()
    await enqueue(tx, 'mail-contact-link', { message_id: id })
  })
}

function validated(fields: Written['fields']) {
  const read = readerMessage.safeParse(fields)
  if (read.success) return read.data
  throw new Problem('validation_failed', 'The form has invalid fields.', {
    members: { errors: fieldErrorsOf(read.error) },
  })
}

/** The mailbox of an address. Throws if it belongs to a banned account. */
async function writingMailbox(tx: Transaction, email: string): Promise<string> {
  const { rows } = await sql<{ mailbox: string; is_banned: boolean }>`
    select ${mailboxOf(email)} as mailbox, ${isBannedMailbox(mailboxOf(email))} as is_banned`.execute(tx)
  const [found] = rows
  if (!found || found.is_banned) throw invalidField('email', 'cannot be used here')
  return found.mailbox
}

/** Whether an account with this mailbox is banned, so that nobody escapes a ban by using the form. */
export const isBannedMailbox = (mailbox: ReturnType<typeof mailboxOf>) => sql<boolean>`exists (
  select from accounts where fold_mailbox(email) = ${mailbox} and standing = 'banned' and email_verified_at is not null
)`

type Sender = { mailbox: string; email: string; at: Date }

/** Counts the form for the sender's network address, mailbox and mail domain. Only stored messages count. */
async function countForm(tx: Transaction, call: Call, { mailbox, email, at }: Sender, sizes: AllowanceSizes) {
  const perAddress = sizeOf(sizes, 'contact-forms-per-address')
  const byAddress = {
    allowance: 'contact-forms-per-address',
    subject: call.sealing.pseudonymOf(call.address),
    at,
  } as const
  if (perAddress > 0 && (await takeUse(tx, byAddress, perAddress)) === null)
    throw untilTomorrow(`Your network address has sent ${perAddress} messages today.`, at)
  const byMailbox = { allowance: 'contact-links-per-mailbox', subject: mailbox, at } as const
  const isMailable =
    (await takeUse(tx, byMailbox, allowances['contact-links-per-mailbox'].max)) !== null &&
    (await countMailToDomain(tx, call.sealing, { email, at }))
  if (!isMailable) throw untilTomorrow('We cannot send more emails to this address today.', at)
}

type Link = { postId: string; token: string }

/** The message behind a link, so that its sender can check it; undefined if the link is used, expired or unknown. */
export async function readReaderMessage({ db, clock }: Call, { postId, token }: Link) {
  const { rows } = await sql<{ sender_name: string; message: string }>`
    select sender_name, message from read_reader_message(${hashToken(token)}, ${postId}, ${clock.now()})`.execute(db)
  return rows[0]
}

/**
 * Sends the message behind a link to the seller, under the limits of `POST /v1/relay`. Returns false if the link is
 * used, expired or unknown. If a limit is reached, the link stays valid.
 */
export async function confirmReaderMessage({ db, clock }: Call, kind: Kind, { postId, token }: Link): Promise<boolean> {
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    const confirmed = await tx
      .updateTable('reader_messages')
      .set({ confirmed_at: at, token_hash: null })
      .where('token_hash', '=', hashToken(token))
      .where('post_id', '=', postId)
      .where('expires_at', '>', at)
      .where('confirmed_at', 'is', null)
      .returning(['id', 'to_account', 'sender_mailbox'])
      .executeTakeFirst()
    if (!confirmed) return false
    await findSeller(tx, kind, { postId, from: null, at })
    await countRelay(tx, { mailbox: confirmed.sender_mailbox, seller: confirmed.to_account, at })
    await enqueue(tx, 'relay-reader-message', { message_id: confirmed.id })
    return true
  })
}
