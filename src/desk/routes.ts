import { caseRoutes } from './case/routes.ts'
import { decisionRoutes } from './decisions/routes.ts'
import { logRoutes } from './log/routes.ts'
import { queueRoutes } from './queue/routes.ts'
import type { DeskRoute } from './route.ts'
import { deskSignInRoutes } from './sign-in/routes.ts'
import { staffRoutes } from './staff/routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'

/** Every route of the desk. test/desk/authorisation.test.ts checks each route for every role. */
export const deskRoutes: readonly DeskRoute[] = [
  ...deskSignInRoutes,
  ...queueRoutes,
  ...caseRoutes,
  ...decisionRoutes,
  ...staffRoutes,
  ...statisticsRoutes,
  ...logRoutes,
]
