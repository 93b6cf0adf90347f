import type { DeskRoute } from '../route.ts'
import { joinRoutes } from './join.ts'
import { meRoutes } from './me.ts'
import { passkeyRoutes } from './sign-in.ts'

export const deskSignInRoutes: readonly DeskRoute[] = [...joinRoutes, ...passkeyRoutes, ...meRoutes]
