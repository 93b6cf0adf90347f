import type { DeskRoute } from '../route.ts'
import { exportDecisions } from './export-decisions.ts'
import { showStatistics } from './statistics-page.ts'

export const statisticsRoutes: readonly DeskRoute[] = [showStatistics, exportDecisions]
