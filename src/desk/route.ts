import type { z } from 'zod'
import type { Asking, Faults, Method, PageRoute, Shown } from '../page-door/route.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { Sites } from '../posts/sites.ts'
import type { Secrets } from '../staff/challenge.ts'
import type { StaffRole } from '../staff/roles.ts'
import type { StaffSession } from '../staff/session.ts'

export type { Shown } from '../page-door/route.ts'

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
export type Needs = 'nothing' | StaffRole

/** `linkToken`: what a mailed link has left in this browser; whether it still opens anything, the page looks. */
export type Who = { session: StaffSession | null; linkToken: string | null }

type WhoFor<N extends Needs> = N extends 'nothing' ? Who : Who & { session: StaffSession }

export type Asked<N extends Needs, Form = Record<string, string>> = DeskParts & WhoFor<N> & Asking<Form>

/** What a page that is shown to staff works with, whichever role it needs. */
export type StaffAsked = Asked<StaffRole, unknown>

type Definition<N extends Needs, Form extends z.ZodObject> = {
  method: Method
  path: `/${string}`
  needs: N
  form?: Form
  answer: (asked: Asked<N, z.output<Form>>) => Promise<Shown> | Shown
  unfit?: (asked: Asked<N>, faults: Faults) => Promise<Shown> | Shown
}

/** One address of the desk. */
export type Route = PageRoute<Needs, Asked<Needs>>

/** A GET shows and changes nothing; a POST is one act of a member's, which the door has let in by its token. */
export function defineRoute<const N extends Needs, Form extends z.ZodObject>(definition: Definition<N, Form>): Route {
  return definition as unknown as Route
}
