import type { z } from 'zod'
import type { OwnerVisit } from '../accounts/sign-in/owner-links.ts'
import type { OwnerSession } from '../accounts/sign-in/sessions.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { PaymentService } from '../platform/payments/provider.ts'
import type { Sealing } from '../platform/sealing.ts'
import type { Asking, FormErrors, PageMethod, PageRoute, Shown } from '../web-pages/route.ts'

export type { Refresh, Shown } from '../web-pages/route.ts'

/** What every page works with. */
export type OwnerParts = {
  db: Database
  clock: Clock
  logger: Logger
  sealing: Sealing
  payments: PaymentService
  accountPageUrl: string
  /** The address of every site, by the kind of post that it takes. */
  baseUrls: Readonly<Record<string, string>>
}

/** nothing: anyone. visit: a browser that opened an owner link. session: the owner, signed in. */
export type OwnerAccess = 'nothing' | 'visit' | 'session'

type WhoFor = {
  nothing: { visit: OwnerVisit | null; session: OwnerSession | null }
  visit: { visit: OwnerVisit; session: OwnerSession | null }
  session: { visit: OwnerVisit | null; session: OwnerSession }
}

export type OwnerRequest<N extends OwnerAccess, Form> = OwnerParts & WhoFor[N] & Asking<Form>

type Definition<N extends OwnerAccess, Form extends z.ZodObject> = {
  method: PageMethod
  path: `/${string}`
  needs: N
  form?: Form
  answer: (asked: OwnerRequest<N, z.output<Form>>) => Promise<Shown> | Shown
  unfit?: (asked: OwnerRequest<N, Record<string, string>>, faults: FormErrors) => Promise<Shown> | Shown
}

/** One address of the owner page. */
export type OwnerRoute = PageRoute<OwnerAccess, OwnerRequest<OwnerAccess, Record<string, string>>>

/** A GET shows and changes nothing; a POST is one act of the owner's, which the door has let in by its token. */
export function defineOwnerRoute<const N extends OwnerAccess, Form extends z.ZodObject>(
  definition: Definition<N, Form>,
): OwnerRoute {
  return definition as unknown as OwnerRoute
}
