import type { Route } from '../route.ts'
import { askToDisable, disable, endSessions, setRole } from './change-member.ts'
import { showStaff } from './staff-page.ts'

export const staffRoutes: readonly Route[] = [showStaff, setRole, askToDisable, disable, endSessions]
