import type { z } from 'zod'
import type { OwnerSession } from '../accounts/sign-in/session.ts'
import type { Visit } from '../accounts/sign-in/visit.ts'
import type { Html } from '../markup/html.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { Payments } from '../platform/payments/provider.ts'
import type { Sealing } from '../platform/sealing.ts'

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

export type Asked<N extends Needs, Form> = OwnerParts &
  WhoFor[N] & {
    params: Record<string, string>
    query: Record<string, string>
    form: Form
    /** What each form of the page must carry. */
    csrf: string
    /** A few words: "Firefox on Linux". */
    browser: string
  }

/** A page, or the way to another one. Cookies are changed by name; null ends one. */
export type Shown =
  | { page: Html; status?: number; refresh?: Refresh; cookies?: CookieChanges }
  | { seeOther: string; cookies?: CookieChanges }

/** After so long the browser goes there by itself, also without a script. */
export type Refresh = { seconds: number; to: string }

export type CookieChanges = Partial<Record<'visit' | 'session', string | null>>

type Definition<N extends Needs, Form extends z.ZodObject> = {
  method: 'GET' | 'POST'
  path: `/${string}`
  needs: N
  /** What a form sends beside its token. What does not fit is answered by the page itself when it has `unfit`. */
  form?: Form
  answer: (asked: Asked<N, z.output<Form>>) => Promise<Shown> | Shown
  /** Shows the form again, with what is wrong with it: a sentence for each field. */
  unfit?: (asked: Asked<N, Record<string, string>>, faults: Record<string, string>) => Promise<Shown> | Shown
}

/** One address of the owner page, with the types of its own form put aside. */
export type Route = {
  method: 'GET' | 'POST'
  path: `/${string}`
  needs: Needs
  form?: z.ZodObject
  answer: (asked: Asked<Needs, unknown>) => Promise<Shown> | Shown
  unfit?: (asked: Asked<Needs, Record<string, string>>, faults: Record<string, string>) => Promise<Shown> | Shown
}

/** A GET shows and changes nothing; a POST is one act of the owner's, which the door has let in by its token. */
export function defineRoute<const N extends Needs, Form extends z.ZodObject>(definition: Definition<N, Form>): Route {
  return definition as unknown as Route
}
