import { caseRoutes } from './case/routes.ts'
import { decisionRoutes } from './decisions/routes.ts'
import { logRoutes } from './log/routes.ts'
import { queueRoutes } from './queue/routes.ts'
import type { DeskRoute } from './route.ts'
import { deskSignInRoutes } from './sign-in/routes.ts'
import { staffRoutes } from './staff/routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'

/** Every address of the desk. The matrix of test/desk/authorisation.test.ts is over this list. */
export const deskRoutes: readonly DeskRoute[] = [
  ...deskSignInRoutes,
  ...queueRoutes,
  ...caseRoutes,
  ...decisionRoutes,
  ...staffRoutes,
  ...statisticsRoutes,
  ...logRoutes,
]
