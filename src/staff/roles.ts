import type { StaffRole } from '../../generated/database-types.ts'

export type { StaffRole } from '../../generated/database-types.ts'

/** Each role includes the ones before it: decide cases; see everyone's work; manage staff. */
export const staffRoles = ['reviewer', 'lead', 'admin'] as const satisfies readonly StaffRole[]

export const mayDo = (role: StaffRole, needed: StaffRole): boolean =>
  staffRoles.indexOf(role) >= staffRoles.indexOf(needed)
