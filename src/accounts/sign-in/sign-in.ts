import type { Database } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { type Entered, enterCode } from './codes.ts'
import { endVisit } from './owner-links.ts'
import { endOwnerSessions, type OwnerSession, startOwnerSession } from './sessions.ts'

type SigningIn = {
  accountId: string
  visitToken: string
  code: string
  browser: string
  /** What the browser held until now; it cannot hold two. */
  replaced: OwnerSession | null
  at: Date
}

/** Gives the token of a new session to whoever reads the owner's mailbox, which is shown by it to be the owner's. */
export function signIn(db: Database, sealing: Sealing, signingIn: SigningIn): Promise<Entered<string>> {
  const { accountId, visitToken, code, browser, replaced, at } = signingIn
  return enterCode(db, sealing, { accountId, purpose: 'sign_in', askedBy: visitToken, code, at }, async (tx, email) => {
    // The address may have changed since the code was mailed: then the mailbox is the owner's no longer.
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set((row) => ({ email_verified_at: row.fn.coalesce('email_verified_at', row.val(at)) }))
      .where('id', '=', accountId)
      .where('email', '=', email)
      .where('standing', '<>', 'closed')
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return null
    if (replaced) await endOwnerSessions(tx, { accountId: replaced.accountId, id: replaced.id, at })
    await endVisit(tx, visitToken)
    await recordOwnerAction(tx, { accountId, action: 'owner.sign_in', at })
    return startOwnerSession(tx, { accountId, browser, at })
  })
}
