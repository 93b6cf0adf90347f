import type { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { Sites } from '../posts/sites.ts'
import type { Secrets } from '../staff/challenge.ts'
import type { StaffRole } from '../staff/roles.ts'
import type { StaffSession } from '../staff/sessions.ts'
import type { Asking, FormErrors, PageMethod, PageRoute, Shown } from '../web-pages/route.ts'

export type { Shown } from '../web-pages/route.ts'

/** What every page works with. */
export type DeskParts = {
  db: Database
  clock: Clock
  logger: Logger
  deskSecrets: Secrets
  deskUrl: string
  sites: Sites
}

/** nothing: anyone. Otherwise staff who are signed in, and have this role or one above it. */
export type DeskAccess = 'nothing' | StaffRole

/** `linkToken`: what a mailed link has left in this browser; whether it still opens anything, the page looks. */
export type StaffAccess = { session: StaffSession | null; linkToken: string | null }

type WhoFor<N extends DeskAccess> = N extends 'nothing' ? StaffAccess : StaffAccess & { session: StaffSession }

export type DeskRequest<N extends DeskAccess, Form = Record<string, string>> = DeskParts & WhoFor<N> & Asking<Form>

/** What a page that is shown to staff works with, whichever role it needs. */
export type StaffRequest = DeskRequest<StaffRole, unknown>

type Definition<N extends DeskAccess, Form extends z.ZodObject> = {
  method: PageMethod
  path: `/${string}`
  needs: N
  form?: Form
  answer: (asked: DeskRequest<N, z.output<Form>>) => Promise<Shown> | Shown
  unfit?: (asked: DeskRequest<N>, faults: FormErrors) => Promise<Shown> | Shown
}

/** One address of the desk. */
export type DeskRoute = PageRoute<DeskAccess, DeskRequest<DeskAccess>>

/** A GET shows and changes nothing; a POST is one act of a member's, which the door has let in by its token. */
export function defineDeskRoute<const N extends DeskAccess, Form extends z.ZodObject>(
  definition: Definition<N, Form>,
): DeskRoute {
  return definition as unknown as DeskRoute
}
