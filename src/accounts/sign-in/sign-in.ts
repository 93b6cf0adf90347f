import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { followMailboxBan } from '../mailboxes.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { type Entered, enterCode } from './codes.ts'
import { endVisit } from './owner-links.ts'
import { endOwnerSessions, type OwnerSession, startOwnerSession } from './sessions.ts'

type SigningIn = {
  accountId: string
  visitToken: string
  code: string
  browser: string
  /** The browser's previous session, which is replaced. */
  replaced: OwnerSession | null
  at: Date
}

/** Starts a session if the code is correct and returns its token. The code also verifies the email address. */
export function signIn(db: Database, sealing: Sealing, signingIn: SigningIn): Promise<Entered<string>> {
  const { accountId, visitToken, code, browser, replaced, at } = signingIn
  return enterCode(db, sealing, { accountId, purpose: 'sign_in', askedBy: visitToken, code, at }, async (tx, email) => {
    const token = await startVerifiedSession(tx, { accountId, email, browser, replaced, at })
    if (token) await endVisit(tx, visitToken)
    return token
  })
}

type Verified = Pick<SigningIn, 'accountId' | 'browser' | 'replaced' | 'at'> & { email: string }

/** Starts a session for the person who has just proven the address. Null if the account no longer has the address. */
export async function startVerifiedSession(tx: Transaction, verified: Verified): Promise<string | null> {
  const { accountId, email, browser, replaced, at } = verified
  // If the address changed after the code was sent, the mailbox is no longer the owner's.
  const account = await tx
    .updateTable('accounts')
    .set((row) => ({ email_verified_at: row.fn.coalesce('email_verified_at', row.val(at)) }))
    .where('id', '=', accountId)
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .where('standing', '<>', 'closed')
    .returning('email_verified_at')
    .executeTakeFirst()
  if (!account) return null
  if (account.email_verified_at?.getTime() === at.getTime()) await followMailboxBan(tx, accountId)
  if (replaced) await endOwnerSessions(tx, { accountId: replaced.accountId, id: replaced.id, at })
  await recordOwnerAction(tx, { accountId, action: 'owner.sign_in', at })
  return startOwnerSession(tx, { accountId, browser, at })
}
