import type { KeyedCall } from '../../contract/call.ts'
import { expiryCutoff, keptMsOf } from '../../contract/retention/periods.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { createOwnerLink } from '../sign-in/owner-links.ts'

/** When the current deletion request was made; null if there is none. */
export function standingDeletionRequest(requestedAt: Date | null, at: Date): Date | null {
  return requestedAt && requestedAt > expiryCutoff('deletion-requests', at) ? requestedAt : null
}

export const deletionLapsesAt = (requestedAt: Date): Date =>
  new Date(requestedAt.getTime() + keptMsOf('deletion-requests'))

/** Records the request and returns the link where the owner confirms it. Nothing else changes until then. */
export async function requestDeletion({ db, clock, caller, accountPageUrl }: KeyedCall): Promise<string> {
  const at = clock.now()
  await db
    .updateTable('accounts')
    .set({ deletion_requested_at: at })
    .where('id', '=', caller.accountId)
    .where((where) =>
      where.or([
        where('deletion_requested_at', 'is', null),
        where('deletion_requested_at', '<=', expiryCutoff('deletion-requests', at)),
      ]),
    )
    .execute()
  return createOwnerLink(db, { accountId: caller.accountId, accountPageUrl, at })
}

/** Deletes requests that the owner did not confirm in time. */
export async function lapseDeletions(db: Database, at: Date): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ deletion_requested_at: null })
    .where('deletion_requested_at', '<=', expiryCutoff('deletion-requests', at))
    .where('standing', '<>', 'closed')
    .execute()
}

/** Cancels the agent's request. Does nothing and writes no audit entry if there is none. */
export function cancelDeletion(db: Database, { accountId, at }: { accountId: string; at: Date }): Promise<void> {
  return inTransaction(db, async (tx) => {
    const cancelled = await tx
      .updateTable('accounts')
      .set({ deletion_requested_at: null })
      .where('id', '=', accountId)
      .where('deletion_requested_at', 'is not', null)
      .executeTakeFirst()
    if (cancelled.numUpdatedRows === 1n) await recordOwnerAction(tx, { accountId, action: 'owner.cancel_deletion', at })
  })
}
