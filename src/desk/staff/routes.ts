import type { DeskRoute } from '../route.ts'
import { askToDisable, disable, endSessionsOfMember, setRole } from './change-member.ts'
import { showStaff } from './staff-page.ts'

export const staffRoutes: readonly DeskRoute[] = [showStaff, setRole, askToDisable, disable, endSessionsOfMember]
