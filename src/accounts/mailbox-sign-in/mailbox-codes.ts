import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { mailboxProofSeconds } from '../../contract/app-limits.ts'
import { ownerCodes, ownerMailsPerHour } from '../../contract/limits.ts'
import { expiryCutoff } from '../../contract/retention/periods.ts'
import { startOfUtcDay } from '../../contract/time/utc-day.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../../platform/repeat.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { countMailToDomain, itsMailbox, mailboxOf } from '../mailboxes.ts'
import { lockMailbox } from '../sign-in/code-limits.ts'
import { isSameCode } from '../sign-in/codes.ts'
import { hashToken, newToken } from '../sign-in/tokens.ts'

/** A browser that asked for a code, and the time. */
type Asked = { browserToken: string; at: Date }

const hourMs = 3_600_000

/**
 * Emails a code that proves a mailbox, whether or not it has an account: the response is the same, so strangers cannot
 * learn who has one. Returns false if the mailbox has had its codes of the hour.
 */
export function askForMailboxCode(
  db: Database,
  sealing: Sealing,
  { email, browserToken, at }: Asked & { email: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockMailbox(tx, email)
    const { codes } = await tx
      .selectFrom('mailbox_codes')
      .select((query) => query.fn.countAll<number>().as('codes'))
      .where(itsMailbox, '=', mailboxOf(email))
      .where('created_at', '>', new Date(at.getTime() - hourMs))
      .where(isMailed)
      .executeTakeFirstOrThrow()
    if (Number(codes) >= ownerMailsPerHour.mailbox.connect) return false
    if (!(await countMailToDomain(tx, sealing, { email, at }))) return false
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const { keyId, sealed } = sealing.seal(Buffer.from(code), boundTo(email, at))
    const { id } = await tx
      .insertInto('mailbox_codes')
      .values({
        asked_by: hashToken(browserToken),
        email,
        sealed,
        key_id: keyId,
        created_at: at,
        expires_at: new Date(at.getTime() + ownerCodes.lifeSeconds * 1_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueue(tx, 'mail-mailbox-code', { code_id: id })
    return true
  })
}

/** A proof has a row of its own, which was never mailed. */
const isMailed = sql<boolean>`(sealed is not null or tries > 0)`

export type MailboxVisit = { token: string; email: string; expiresAt: Date; isProven: boolean }

/** Only a browser that entered the code may see what belongs to the mailbox. */
export type ProvenMailbox = MailboxVisit & { isProven: true }

export const isProven = (mailbox: MailboxVisit): mailbox is ProvenMailbox => mailbox.isProven

/** The mailbox that this browser named; proven if it entered the code. */
export async function findMailboxVisit(db: Database, token: string, at: Date): Promise<MailboxVisit | null> {
  const found = await db
    .selectFrom('mailbox_codes')
    .select(['email', 'expires_at', 'proven_at', 'sealed', 'tries'])
    .where('asked_by', '=', hashToken(token))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!found) return null
  const { email, expires_at: expiresAt, proven_at } = found
  if (proven_at && at.getTime() - proven_at.getTime() < mailboxProofSeconds * 1_000)
    return { token, email, expiresAt, isProven: true }
  if (!found.sealed || expiresAt <= at || found.tries >= ownerCodes.tries) return null
  return { token, email, expiresAt, isProven: false }
}

/**
 * Whether the code is right. Every attempt counts, in a transaction of its own. The proof belongs to a new token, so that
 * somebody who knows the browser's first one gains nothing.
 */
export async function enterMailboxCode(
  db: Database,
  sealing: Sealing,
  { browserToken, code, at }: Asked & { code: string },
): Promise<{ provenBy: string } | 'over' | { triesLeft: number }> {
  const { rows } = await sql<Tried>`
    update mailbox_codes mine set tries = tries + 1
    where id = (select max(id) from mailbox_codes where asked_by = ${hashToken(browserToken)})
      and sealed is not null and expires_at > ${at} and tries < ${ownerCodes.tries}
      and ${wrongToday(at)} < ${ownerCodes.wrongPerDay}
    returning id, email, sealed, key_id, created_at, expires_at, tries`.execute(db)
  const [tried] = rows
  if (!tried) return 'over'
  if (!isSameCode(openCode(sealing, tried), code))
    return tried.tries < ownerCodes.tries ? { triesLeft: ownerCodes.tries - tried.tries } : 'over'
  const provenBy = newToken()
  const { email, key_id, created_at, expires_at } = tried
  const isFirst = await inTransaction(db, async (tx) => {
    const used = await tx
      .updateTable('mailbox_codes')
      .set({ sealed: null })
      .where('id', '=', tried.id)
      .where('sealed', 'is not', null)
      .executeTakeFirst()
    if (used.numUpdatedRows !== 1n) return false
    const proof = { asked_by: hashToken(provenBy), email, key_id, created_at, expires_at, proven_at: at }
    await tx.insertInto('mailbox_codes').values(proof).execute()
    return true
  })
  return isFirst ? { provenBy } : 'over'
}

/** The tries of today with codes to the same mailbox that did not prove it. They end with the day, as for agents' links. */
const wrongToday = (at: Date) => sql<number>`(
  select coalesce(sum(others.tries), 0) from mailbox_codes others
  where fold_mailbox(others.email) = fold_mailbox(mine.email) and others.created_at >= ${startOfUtcDay(at)}
    and others.sealed is not null
)`

/** Ends what browsers have proven of the account's mailbox. */
export async function endMailboxProofs(tx: Transaction, accountId: string): Promise<void> {
  await sql`
    update mailbox_codes set proven_at = null
    where proven_at is not null
      and fold_mailbox(email) = (select fold_mailbox(email) from accounts where id = ${accountId})`.execute(tx)
}

type Tried = {
  id: number
  email: string
  sealed: Buffer
  key_id: string
  created_at: Date
  expires_at: Date
  tries: number
}

/** Reads a code to send it. Returns null if it was used or has expired. */
export async function readMailboxCode(db: Database, sealing: Sealing, { id, at }: { id: number; at: Date }) {
  const row = await db
    .selectFrom('mailbox_codes')
    .select(['id', 'email', 'sealed', 'key_id', 'created_at', 'expires_at', 'tries'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row?.sealed || row.expires_at <= at) return null
  return { email: row.email, code: openCode(sealing, { ...row, sealed: row.sealed }) }
}

const openCode = (sealing: Sealing, row: Pick<Tried, 'email' | 'sealed' | 'key_id' | 'created_at'>): string =>
  sealing.open({ keyId: row.key_id, sealed: row.sealed }, boundTo(row.email, row.created_at)).toString()

const boundTo = (email: string, at: Date) => `mailbox ${email} ${at.toISOString()}`

export const deleteExpiredMailboxCodes: Purge = (db, at) =>
  deleteInBatches(db, 'mailbox_codes', sql`expires_at < ${expiryCutoff('mailbox-codes', at)}`)
