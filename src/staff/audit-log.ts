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
  /** The account whose post the entry is about, if any. */
  accountId?: string | null
  at: Date
  /** Only ids and codes, never a name, an address or user text, because the log outlives them. */
  details?: Record<string, string | number | boolean | null>
}

/** Records a staff member's action in the transaction that performs it. */
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

/** The actor id used in the audit log and in decisions. */
export const staffActor = (staffId: string) => `staff:${staffId}`
