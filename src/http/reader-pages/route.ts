import type { Call } from '../../contract/call.ts'
import type { AllowanceSizes } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import type { Kind } from '../../kinds/index.ts'
import type { Html } from '../../markup/html.ts'
import type { SiteView } from '../../publishing/views.ts'

/** The input of every handler. `fields` are the values of a submitted form. */
export type ReaderRequest = {
  call: Call
  site: SiteView
  sizes: AllowanceSizes
  params: { id: string; token?: string }
  fields: Readonly<Record<string, string>>
}

/** A page, and the problem that it explains, for the log. */
export type ReaderAnswer = { status: number; page: Html; problem?: Problem }

/** A page about one post that readers can act on, without an account. */
export type ReaderRoute = {
  path: `/p/:id/${string}`
  /** The name in logs and metrics. */
  id: string
  /** The kinds whose sites have the page. */
  isOn: (kind: Kind) => boolean
  show: (request: ReaderRequest) => Promise<ReaderAnswer>
  /** Handles the submitted form. */
  submit: (request: ReaderRequest) => Promise<ReaderAnswer>
}
