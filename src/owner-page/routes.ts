import { chargeRoutes } from './charges/routes.ts'
import { connectRoutes } from './connect/routes.ts'
import { deletionRoutes } from './deletion/routes.ts'
import { draftRoutes } from './drafts/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { moneyRoutes } from './money/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { postRoutes } from './posts/routes.ts'
import type { OwnerRoute } from './route.ts'
import { settingsRoutes } from './settings/routes.ts'
import { ownerSignInRoutes } from './sign-in/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every route of the owner page. test/owner-page/authorisation.test.ts checks each of them. */
export const ownerRoutes: readonly OwnerRoute[] = [
  ...ownerSignInRoutes,
  ...overviewRoutes,
  ...moneyRoutes,
  ...chargeRoutes,
  ...postRoutes,
  ...draftRoutes,
  ...webhookRoutes,
  ...settingsRoutes,
  ...deletionRoutes,
  ...keyRoutes,
  ...connectRoutes,
]
