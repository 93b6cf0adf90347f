import type { z } from 'zod'
import type { MailboxVisit } from '../accounts/mailbox-sign-in/mailbox-codes.ts'
import type { OwnerVisit } from '../accounts/sign-in/owner-links.ts'
import type { OwnerSession } from '../accounts/sign-in/sessions.ts'
import type { DraftVisit } from '../drafts/draft-links.ts'
import type { ClientDocuments } from '../oauth/clients/metadata-documents.ts'
import type { OpenRequest } from '../oauth/requests.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { PaymentService } from '../platform/payments/provider.ts'
import type { Sealing } from '../platform/sealing.ts'
import type { Operator } from '../platform/settings/subjects/contact-settings.ts'
import type { Asking, FormErrors, PageMethod, PageRoute, Shown } from '../web-pages/route.ts'

export type { Refresh, Shown } from '../web-pages/route.ts'

/** The dependencies of every page. */
export type OwnerParts = {
  db: Database
  clock: Clock
  logger: Logger
  sealing: Sealing
  payments: PaymentService
  accountPageUrl: string
  /** Who runs the installation. */
  operator: Operator
  /** Each site's base URL by its kind of post. */
  baseUrls: Readonly<Record<string, string>>
  /** The metadata documents of apps. */
  documents: ClientDocuments
  /** True outside production. */
  obeysTestWords: boolean
}

/**
 * nothing: anyone. visit: a browser that opened an owner link. mailbox: a browser that asked for a code to connect an app.
 * drafts: a browser that opened an emailed link to decide on drafts. session: the signed-in owner.
 */
export type OwnerAccess = 'nothing' | 'visit' | 'mailbox' | 'drafts' | 'session'

/** Who sent the request. `connecting` is the app that this browser came to connect. */
type Visitor = {
  visit: OwnerVisit | null
  mailbox: MailboxVisit | null
  drafts: DraftVisit | null
  session: OwnerSession | null
  connecting: OpenRequest | null
}

type WhoFor = {
  nothing: Visitor
  visit: Visitor & { visit: OwnerVisit }
  mailbox: Visitor & { mailbox: MailboxVisit }
  drafts: Visitor & { drafts: DraftVisit }
  session: Visitor & { session: OwnerSession }
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

/** One route of the owner page. */
export type OwnerRoute = PageRoute<OwnerAccess, OwnerRequest<OwnerAccess, Record<string, string>>>

/** A GET changes nothing; a POST is one action by the owner, accepted only with a valid CSRF token. */
export function defineOwnerRoute<const N extends OwnerAccess, Form extends z.ZodObject>(
  definition: Definition<N, Form>,
): OwnerRoute {
  return definition as unknown as OwnerRoute
}
