import type { Transaction } from '../platform/database/database.ts'

export type StaffAction =
  | 'staff.sign_in'
  | 'staff.sign_out'
  | 'staff.add_passkey'
  | 'staff.change_role'
  | 'staff.disable'
  | 'staff.end_sessions'
  | 'case.claim'
  | 'case.skip'
  | 'case.decide'
  | 'case.undo'
  | 'case.free'
  | 'decisions.export'

type StaffAuditEntry = {
  staffId: string
  action: StaffAction
  /** Whose post it is about, if it is about one. */
  accountId?: string | null
  at: Date
  /** Identifiers and codes. Never a name, an address or a text: the log outlives them. */
  details?: Record<string, string | number | boolean | null>
}

/** Writes down what a member of the staff did, in the transaction that does it. */
export async function recordStaffAction(
  tx: Transaction,
  { staffId, action, accountId, at, details = {} }: StaffAuditEntry,
) {
  await tx
    .insertInto('audit_log')
    .values({
      at,
      actor: staffActor(staffId),
      action,
      account_id: accountId ?? null,
      details: JSON.stringify(details),
    })
    .execute()
}

/** Who acts, for the audit log and for decisions. */
export const staffActor = (staffId: string) => `staff:${staffId}`
