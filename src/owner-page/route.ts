import type { z } from 'zod'
import type { OwnerSession } from '../accounts/sign-in/session.ts'
import type { Visit } from '../accounts/sign-in/visit.ts'
import type { Asking, Faults, Method, PageRoute, Shown } from '../page-door/route.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { Payments } from '../platform/payments/provider.ts'
import type { Sealing } from '../platform/sealing.ts'

export type { Refresh, Shown } from '../page-door/route.ts'

/** What every page works with. */
export type OwnerParts = {
  db: Database
  clock: Clock
  logger: Logger
  sealing: Sealing
  payments: Payments
  accountPageUrl: string
  /** The address of every site, by the kind of post that it takes. */
  baseUrls: Readonly<Record<string, string>>
}

/** nothing: anyone. visit: a browser that opened an owner link. session: the owner, signed in. */
export type Needs = 'nothing' | 'visit' | 'session'

type WhoFor = {
  nothing: { visit: Visit | null; session: OwnerSession | null }
  visit: { visit: Visit; session: OwnerSession | null }
  session: { visit: Visit | null; session: OwnerSession }
}

export type Asked<N extends Needs, Form> = OwnerParts & WhoFor[N] & Asking<Form>

type Definition<N extends Needs, Form extends z.ZodObject> = {
  method: Method
  path: `/${string}`
  needs: N
  form?: Form
  answer: (asked: Asked<N, z.output<Form>>) => Promise<Shown> | Shown
  unfit?: (asked: Asked<N, Record<string, string>>, faults: Faults) => Promise<Shown> | Shown
}

/** One address of the owner page. */
export type Route = PageRoute<Needs, Asked<Needs, Record<string, string>>>

/** A GET shows and changes nothing; a POST is one act of the owner's, which the door has let in by its token. */
export function defineRoute<const N extends Needs, Form extends z.ZodObject>(definition: Definition<N, Form>): Route {
  return definition as unknown as Route
}
