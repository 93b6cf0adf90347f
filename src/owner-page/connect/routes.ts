import { authorizeRoutes } from './authorize.ts'
import { showRequest } from './connect-page.ts'
import { consentRoutes } from './consent.ts'
import { connectSignInRoutes } from './sign-in.ts'

/** Connecting an app: the pages of the authorization server. */
export const connectRoutes = [...authorizeRoutes, showRequest, ...connectSignInRoutes, ...consentRoutes]
