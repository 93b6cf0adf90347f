import type { Route } from '../route.ts'
import { joinRoutes } from './join.ts'
import { meRoutes } from './me.ts'
import { signInWithPasskeyRoutes } from './sign-in.ts'

export const signInRoutes: readonly Route[] = [...joinRoutes, ...signInWithPasskeyRoutes, ...meRoutes]
