import type { Database } from '../../platform/database/database.ts'
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
    // If the address changed after the code was sent, the mailbox is no longer the owner's.
    const verified = await tx
      .updateTable('accounts')
      .set((row) => ({ email_verified_at: row.fn.coalesce('email_verified_at', row.val(at)) }))
      .where('id', '=', accountId)
      .where('email', '=', email)
      .where('standing', '<>', 'closed')
      .returning('email_verified_at')
      .executeTakeFirst()
    if (!verified) return null
    if (verified.email_verified_at?.getTime() === at.getTime()) await followMailboxBan(tx, accountId)
    if (replaced) await endOwnerSessions(tx, { accountId: replaced.accountId, id: replaced.id, at })
    await endVisit(tx, visitToken)
    await recordOwnerAction(tx, { accountId, action: 'owner.sign_in', at })
    return startOwnerSession(tx, { accountId, browser, at })
  })
}
