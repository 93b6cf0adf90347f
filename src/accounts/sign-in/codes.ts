import { randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { ownerCodes } from '../../contract/limits.ts'
import { startOfUtcDay } from '../../contract/time/utc-day.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { type CodeOrigin, countSend, lockAccount, type TooMany } from './code-limits.ts'
import { hashToken } from './tokens.ts'

type CodePurpose = 'sign_in' | 'change_email'

type Asked = {
  accountId: string
  purpose: CodePurpose
  /**
   * The token of the requesting browser. Only that browser can enter the code, so a stranger cannot use up its
   * attempts.
   */
  askedBy: string
  at: Date
}

type Asking = Asked & { way: CodeOrigin; email: string; emailBefore?: string }

/**
 * Enqueues the email with a new code and invalidates this browser's earlier codes. If a limit is reached, returns when
 * the next code can be requested.
 */
export async function askForCode(
  tx: Transaction,
  sealing: Sealing,
  { accountId, purpose, way, email, emailBefore, askedBy, at }: Asking,
): Promise<{ codeId: number } | TooMany> {
  const tooMany = await countSend(tx, sealing, { accountId, email, way, at })
  if (tooMany) return tooMany
  await tx
    .updateTable('owner_codes')
    .set({ sealed: null })
    .where('account_id', '=', accountId)
    .where('asked_by', '=', hashToken(askedBy))
    .execute()
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const { keyId, sealed } = sealing.seal(Buffer.from(code), boundTo(accountId, at))
  const { id } = await tx
    .insertInto('owner_codes')
    .values({
      account_id: accountId,
      purpose,
      asked_by: hashToken(askedBy),
      email,
      email_before: emailBefore ?? null,
      sealed,
      key_id: keyId,
      created_at: at,
      expires_at: new Date(at.getTime() + ownerCodes.lifeSeconds * 1_000),
      by_mailed_link: way === 'mailed_link',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(tx, 'mail-code', { code_id: id })
  return { codeId: id }
}

/** Whether agent links are blocked until 00:00 UTC because of too many wrong codes today. */
export async function isAgentLinkClosed(db: Database, { accountId, at }: { accountId: string; at: Date }) {
  const { rows } = await sql<{ wrong: number }>`select ${wrongToday(accountId, at)} as wrong`.execute(db)
  return Number(rows[0]?.wrong) >= ownerCodes.wrongPerDay
}

/** Today's wrong attempts. A code that was sent before midnight and expires after it counts for both days. */
const wrongToday = (accountId: string, at: Date) => sql<number>`(
  select coalesce(sum(tries), 0) from owner_codes
  where account_id = ${accountId} and purpose = 'sign_in' and not by_mailed_link and expires_at > ${startOfUtcDay(at)}
)`

/** The valid code that this browser requested. */
export function findSentCode(db: Database, { accountId, purpose, askedBy, at }: Asked) {
  return db
    .selectFrom('owner_codes')
    .select(['email', 'expires_at', 'tries'])
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .where('asked_by', '=', hashToken(askedBy))
    .where('sealed', 'is not', null)
    .where('expires_at', '>', at)
    .where('tries', '<', ownerCodes.tries)
    .executeTakeFirst()
}

/** Reads a code to send it by email. Returns null if the code was used or replaced or has expired. */
export async function readCode(db: Database, sealing: Sealing, { id, at }: { id: number; at: Date }) {
  const row = await db
    .selectFrom('owner_codes')
    .select(['account_id', 'purpose', 'email', 'sealed', 'key_id', 'created_at', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row?.sealed || row.expires_at <= at) return null
  const { account_id: accountId, purpose, email } = row
  return { accountId, purpose: purpose as CodePurpose, email, code: openCode(sealing, { ...row, sealed: row.sealed }) }
}

/** `done` is the action's result; `over` means that a new code is needed. */
export type Entered<Result> = { done: Result } | { triesLeft: number } | 'over'

/**
 * Runs `follow` if the code is correct, in the transaction that marks the code as used. Every attempt counts, even
 * concurrent ones. `follow` returns null if the action is no longer possible.
 */
export async function enterCode<Result>(
  db: Database,
  sealing: Sealing,
  { accountId, purpose, askedBy, at, code }: Asked & { code: string },
  follow: (tx: Transaction, email: string) => Promise<Result | null>,
): Promise<Entered<Result>> {
  const tried = await countTry(db, { accountId, purpose, askedBy, at })
  if (!tried) return 'over'
  if (!isSameCode(openCode(sealing, tried), code))
    return tried.tries < ownerCodes.tries ? { triesLeft: ownerCodes.tries - tried.tries } : 'over'
  const done = await inTransaction(db, async (tx) => {
    await lockAccount(tx, accountId)
    const used = await tx
      .updateTable('owner_codes')
      .set((row) => ({ sealed: null, tries: row('tries', '-', 1) }))
      .where('id', '=', tried.id)
      .where('sealed', 'is not', null)
      .executeTakeFirst()
    return used.numUpdatedRows === 1n ? follow(tx, tried.email) : null
  })
  return done === null ? 'over' : { done }
}

/** Counts in a separate transaction, so that the attempt stays counted if the rest fails. */
function countTry(db: Database, { accountId, purpose, askedBy, at }: Asked): Promise<Tried | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, accountId)
    const { rows } = await sql<Tried>`
      update owner_codes set tries = tries + 1
      where account_id = ${accountId} and purpose = ${purpose} and asked_by = ${hashToken(askedBy)}
        and sealed is not null and expires_at > ${at} and tries < ${ownerCodes.tries}
        and (by_mailed_link or purpose <> 'sign_in' or ${wrongToday(accountId, at)} < ${ownerCodes.wrongPerDay})
      returning id, account_id, email, sealed, key_id, created_at, tries`.execute(tx)
    return rows[0]
  })
}

type Tried = {
  id: number
  account_id: string
  email: string
  sealed: Buffer
  key_id: string
  created_at: Date
  tries: number
}

export function isSameCode(expected: string, given: string): boolean {
  const [first, second] = [Buffer.from(expected), Buffer.from(given)]
  return first.length === second.length && timingSafeEqual(first, second)
}

const openCode = (sealing: Sealing, row: Pick<Tried, 'account_id' | 'sealed' | 'key_id' | 'created_at'>): string =>
  sealing.open({ keyId: row.key_id, sealed: row.sealed }, boundTo(row.account_id, row.created_at)).toString()

/** A code can only be unsealed in the row that it was sealed for. */
const boundTo = (accountId: string, at: Date) => `${accountId} ${at.toISOString()}`
