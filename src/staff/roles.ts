import type { StaffRole } from '../platform/database/database-types.ts'

export type { StaffRole } from '../platform/database/database-types.ts'

/** Each may do what those before it may: decide; see everybody's work; see and change who works here. */
export const staffRoles = ['reviewer', 'lead', 'admin'] as const satisfies readonly StaffRole[]

export const mayDo = (role: StaffRole, needed: StaffRole): boolean =>
  staffRoles.indexOf(role) >= staffRoles.indexOf(needed)
