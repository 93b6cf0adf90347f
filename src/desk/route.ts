import type { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { Reader } from '../platform/replica.ts'
import type { Sites } from '../posts/sites.ts'
import type { Secrets } from '../staff/challenge.ts'
import type { StaffRole } from '../staff/roles.ts'
import type { StaffSession } from '../staff/sessions.ts'
import type { Asking, FormErrors, PageMethod, PageRoute, Shown } from '../web-pages/route.ts'

export type { Shown } from '../web-pages/route.ts'

/** The dependencies of every page. */
export type DeskParts = {
  db: Database
  /** Statistics: from a replica if there is one, and it is current enough. */
  statisticsReader: Reader
  clock: Clock
  logger: Logger
  deskSecrets: Secrets
  deskUrl: string
  sites: Sites
}

/** nothing: anyone. Otherwise signed-in staff with at least this role. */
export type DeskAccess = 'nothing' | StaffRole

/** `linkToken`: the token from an emailed link, stored in a cookie. The page checks whether it is still valid. */
export type StaffAccess = { session: StaffSession | null; linkToken: string | null }

type WhoFor<N extends DeskAccess> = N extends 'nothing' ? StaffAccess : StaffAccess & { session: StaffSession }

export type DeskRequest<N extends DeskAccess, Form = Record<string, string>> = DeskParts & WhoFor<N> & Asking<Form>

/** A request for a staff page, whichever role the page needs. */
export type StaffRequest = DeskRequest<StaffRole, unknown>

type Definition<N extends DeskAccess, Form extends z.ZodObject> = {
  method: PageMethod
  path: `/${string}`
  needs: N
  form?: Form
  answer: (asked: DeskRequest<N, z.output<Form>>) => Promise<Shown> | Shown
  unfit?: (asked: DeskRequest<N>, faults: FormErrors) => Promise<Shown> | Shown
}

export type DeskRoute = PageRoute<DeskAccess, DeskRequest<DeskAccess>>

/** A GET changes nothing. A POST is one action by a member, and the server has already verified its form token. */
export function defineDeskRoute<const N extends DeskAccess, Form extends z.ZodObject>(
  definition: Definition<N, Form>,
): DeskRoute {
  return definition as unknown as DeskRoute
}
