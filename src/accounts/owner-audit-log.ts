import type { Transaction } from '../platform/database/database.ts'

export type OwnerAction =
  | 'owner.sign_in'
  | 'owner.sign_out'
  | 'owner.ask_email_change'
  | 'owner.change_email'
  | 'owner.create_key'
  | 'owner.change_key'
  | 'owner.connect_app'
  | 'owner.confirm_key'
  | 'owner.revoke_key'
  | 'owner.start_top_up'
  | 'owner.start_card'
  | 'owner.remove_card'
  | 'owner.change_auto_recharge'
  | 'owner.change_review_mails'
  | 'owner.ask_refund'
  | 'owner.appeal'
  | 'owner.approve_draft'
  | 'owner.decline_draft'
  | 'owner.remove_domain'
  | 'owner.delete_webhook'
  | 'owner.ask_deletion'
  | 'owner.cancel_deletion'
  | 'owner.close_account'

type OwnerAuditEntry = {
  accountId: string
  action: OwnerAction
  at: Date
  /** Only ids and amounts, never a name, an address or text, because the log outlives the account. */
  details?: Record<string, string | number | boolean | null>
}

/** Records the owner's action in the transaction that performs it. */
export async function recordOwnerAction(tx: Transaction, { accountId, action, at, details = {} }: OwnerAuditEntry) {
  await tx
    .insertInto('audit_log')
    .values({ at, actor: `owner:${accountId}`, action, account_id: accountId, details: JSON.stringify(details) })
    .execute()
}
