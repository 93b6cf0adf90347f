import { hashToken } from '../accounts/sign-in/tokens.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { recordStaffAction } from './audit-log.ts'
import { spendChallenge } from './challenge.ts'
import { readNewCredential } from './credential.ts'
import { PasskeyRefusal } from './passkey-refusal.ts'
import { type PasskeyContext, verifyNewPasskey } from './passkeys.ts'
import { endStaffSessions, type StaffSession, startStaffSession } from './sessions.ts'

/** The member that the link was emailed to; null if the link is not valid. */
export async function findInvited(db: Database, token: string, at: Date) {
  const member = await db
    .selectFrom('staff_links')
    .innerJoin('staff', 'staff.id', 'staff_links.staff_id')
    .select(['staff_links.id as link_id', 'staff.id', 'staff.name', 'staff.email', 'staff.role'])
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!member) return null
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'transports'])
    .where('staff_id', '=', member.id)
    .where('revoked_at', 'is', null)
    .execute()
  return { ...member, passkeys }
}

type Joining = { token: string; credential: string; browser: string; replaced: StaffSession | null; at: Date }

/** Adds the passkey, uses up the link and returns a new session token, in one transaction. */
export async function join(db: Database, place: PasskeyContext, { token, credential, browser, replaced, at }: Joining) {
  const invited = await findInvited(db, token, at)
  if (!invited) throw new PasskeyRefusal('link_over')
  const staffId = invited.id
  const passkey = await verifyNewPasskey(place, readNewCredential(credential), { staffId, at })
  return inTransaction(db, async (tx) => {
    await spendChallenge(tx, passkey.challenge, at)
    const used = await tx
      .updateTable('staff_links')
      .set({ used_at: at })
      .where('id', '=', invited.link_id)
      .where('token_hash', '=', hashToken(token))
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows !== 1n) throw new PasskeyRefusal('link_over')
    const added = await tx
      .insertInto('passkeys')
      .values({
        id: passkey.id,
        staff_id: staffId,
        public_key: passkey.publicKey,
        sign_count: passkey.counter,
        transports: passkey.transports,
        label: browser,
        created_at: at,
        last_used_at: at,
      })
      .onConflict((known) => known.doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows !== 1n) throw new PasskeyRefusal('known_already')
    await recordStaffAction(tx, { staffId, action: 'staff.add_passkey', at, details: { link_id: invited.link_id } })
    if (replaced) await endStaffSessions(tx, { staffId: replaced.member.id, id: replaced.id, at })
    const session = await startStaffSession(tx, { staffId, passkeyId: passkey.id, browser, at })
    await recordStaffAction(tx, { staffId, action: 'staff.sign_in', at })
    return session
  })
}
