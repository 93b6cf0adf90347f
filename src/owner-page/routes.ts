import { chargeRoutes } from './charges/routes.ts'
import { deletionRoutes } from './deletion/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { moneyRoutes } from './money/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { postRoutes } from './posts/routes.ts'
import type { Route } from './route.ts'
import { settingsRoutes } from './settings/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every address of the owner page. The matrix of test/owner-authorisation.test.ts is over this list. */
export const routes: readonly Route[] = [
  ...signInRoutes,
  ...overviewRoutes,
  ...moneyRoutes,
  ...chargeRoutes,
  ...postRoutes,
  ...webhookRoutes,
  ...settingsRoutes,
  ...deletionRoutes,
  ...keyRoutes,
]
