import { emailRoutes } from './email.ts'
import { frontRoutes } from './front.ts'
import { linkRoutes } from './link.ts'
import { sessionRoutes } from './sessions.ts'
import { codeRoutes } from './sign-in.ts'

export const signInRoutes = [...frontRoutes, ...linkRoutes, ...codeRoutes, ...sessionRoutes, ...emailRoutes]
