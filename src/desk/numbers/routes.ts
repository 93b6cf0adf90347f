import type { Route } from '../route.ts'
import { exportDecisions } from './export-decisions.ts'
import { showNumbers } from './numbers-page.ts'

export const numberRoutes: readonly Route[] = [showNumbers, exportDecisions]
