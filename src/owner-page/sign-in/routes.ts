import { emailRoutes } from './email.ts'
import { frontRoutes, linkRoutes } from './front.ts'
import { sessionRoutes } from './sessions.ts'
import { codeRoutes } from './sign-in.ts'

export const ownerSignInRoutes = [...frontRoutes, ...linkRoutes, ...codeRoutes, ...sessionRoutes, ...emailRoutes]
