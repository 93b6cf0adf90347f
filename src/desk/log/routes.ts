import type { DeskRoute } from '../route.ts'
import { showLog } from './log-page.ts'

export const logRoutes: readonly DeskRoute[] = [showLog]
