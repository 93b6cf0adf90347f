import type { Route } from '../route.ts'
import { showLog } from './log-page.ts'

export const logRoutes: readonly Route[] = [showLog]
