import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { followMailboxBan } from '../mailboxes.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { askForCode, type Entered, enterCode } from './codes.ts'
import type { OwnerSession } from './sessions.ts'

type Wish = { session: OwnerSession; email: string; at: Date }

/**
 * Emails a code to the new address and notifies the old one. The notice is sent when the change is requested, not when
 * it is made, so that the owner has time to end an intruder's session. The code's row stores the old address, so that
 * the notice reaches it even if it is sent after the change.
 */
export function askToChangeEmail(db: Database, sealing: Sealing, { session, email, at }: Wish) {
  const { accountId, token } = session
  return inTransaction(db, async (tx) => {
    const { email: emailBefore } = await tx
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const asking = {
      accountId,
      purpose: 'change_email',
      way: 'session',
      email,
      emailBefore,
      askedBy: token,
      at,
    } as const
    const asked = await askForCode(tx, sealing, asking)
    if ('againAt' in asked) return asked
    const subject = String(asked.codeId)
    await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'email_change_asked', subject })
    await recordOwnerAction(tx, { accountId, action: 'owner.ask_email_change', at })
    return asked
  })
}

/** Changes the account's address to the one that the code was sent to. */
export function changeEmail(
  db: Database,
  sealing: Sealing,
  { session: { accountId, token }, code, at }: { session: OwnerSession; code: string; at: Date },
): Promise<Entered<true>> {
  const entering = { accountId, purpose: 'change_email', askedBy: token, code, at } as const
  return enterCode(db, sealing, entering, async (tx, email) => {
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ email, email_verified_at: at })
      .where('id', '=', accountId)
      .where('standing', '<>', 'closed')
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return null
    await followMailboxBan(tx, accountId)
    await enqueue(tx, 'tell-provider-of-email', { account_id: accountId })
    await recordOwnerAction(tx, { accountId, action: 'owner.change_email', at })
    return true
  })
}
