import { type Database, inTransaction } from '../platform/database/database.ts'
import { recordStaffAction } from './audit-log.ts'
import { spendChallenge } from './challenge.ts'
import { readUsedCredential } from './credential.ts'
import { PasskeyRefusal } from './passkey-refusal.ts'
import { type PasskeyContext, verifyPasskey } from './passkeys.ts'
import { endStaffSessions, type StaffSession, startStaffSession } from './sessions.ts'

type SigningIn = { credential: string; browser: string; replaced: StaffSession | null; at: Date }

/** Accepts a passkey assertion once and returns a new session token. */
export async function signInWithPasskey(
  db: Database,
  place: PasskeyContext,
  { credential, browser, replaced, at }: SigningIn,
): Promise<string> {
  const sent = readUsedCredential(credential)
  const stored = await findPasskey(db, sent.id)
  if (!stored) throw new PasskeyRefusal('unknown_passkey')
  const { staffId, id: passkeyId } = stored
  const { challenge, counter } = await verifyPasskey(place, sent, { stored, at })
  return inTransaction(db, async (tx) => {
    await spendChallenge(tx, challenge, at)
    const used = await tx
      .updateTable('passkeys')
      .set({ sign_count: counter, last_used_at: at })
      .where('id', '=', passkeyId)
      .where('revoked_at', 'is', null)
      // Passkeys synced across devices have no counter and always send zero. A counter that decreases indicates a copy.
      .where('sign_count', counter === 0 ? '=' : '<', counter)
      .executeTakeFirst()
    if (used.numUpdatedRows !== 1n) throw new PasskeyRefusal('counter_went_back')
    if (replaced) await endStaffSessions(tx, { staffId: replaced.member.id, id: replaced.id, at })
    const session = await startStaffSession(tx, { staffId, passkeyId, browser, at })
    await recordStaffAction(tx, { staffId, action: 'staff.sign_in', at })
    return session
  })
}

/** An active passkey of an active member. */
async function findPasskey(db: Database, id: string) {
  return db
    .selectFrom('passkeys')
    .innerJoin('staff', 'staff.id', 'passkeys.staff_id')
    .select(['passkeys.id', 'staff_id as staffId', 'public_key as publicKey'])
    .where('passkeys.id', '=', id)
    .where('revoked_at', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}
