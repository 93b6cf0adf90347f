import type { Database } from '../../platform/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { recordOwnerAct } from '../owner-act.ts'
import { type Entered, enterCode } from './code.ts'
import { endSessions, type OwnerSession, startSession } from './session.ts'
import { endVisit } from './visit.ts'

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
    if (replaced) await endSessions(tx, { accountId: replaced.accountId, id: replaced.id, at })
    await endVisit(tx, visitToken)
    await recordOwnerAct(tx, { accountId, action: 'owner.sign_in', at })
    return startSession(tx, { accountId, browser, at })
  })
}
