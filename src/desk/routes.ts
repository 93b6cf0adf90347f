import { caseRoutes } from './case/routes.ts'
import { decisionRoutes } from './decisions/routes.ts'
import { logRoutes } from './log/routes.ts'
import { numberRoutes } from './numbers/routes.ts'
import { queueRoutes } from './queue/routes.ts'
import type { Route } from './route.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { staffRoutes } from './staff/routes.ts'

/** Every address of the desk. The matrix of test/desk-authorisation.test.ts is over this list. */
export const routes: readonly Route[] = [
  ...signInRoutes,
  ...queueRoutes,
  ...caseRoutes,
  ...decisionRoutes,
  ...staffRoutes,
  ...numberRoutes,
  ...logRoutes,
]
