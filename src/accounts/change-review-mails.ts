import { type Database, inTransaction } from '../platform/database.ts'
import { recordOwnerAct } from './owner-act.ts'

type Change = { accountId: string; enabled: boolean; at: Date }

/** The owner turns mails about posts in review on or off. */
export function changeReviewMails(db: Database, { accountId, enabled, at }: Change): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.updateTable('accounts').set({ mails_about_reviews: enabled }).where('id', '=', accountId).execute()
    await recordOwnerAct(tx, { accountId, action: 'owner.change_review_mails', at, details: { enabled } })
  })
}
