import type { z } from 'zod'
import type { Html } from '../markup/html.ts'
import type { CookieChanges } from './cookies.ts'

/** The input of every handler. */
export type Asking<Form> = {
  params: Record<string, string>
  query: Record<string, string>
  /** The query with repeated parameters. */
  parameters: URLSearchParams
  form: Form
  /** The CSRF token for the forms on the page. */
  csrf: string
  /** A short description of the browser: "Firefox on Linux". */
  browser: string
}

/** A page, a file or a redirect. */
export type Shown =
  | {
      page: Html
      status?: number
      refresh?: Refresh
      retryAfterSeconds?: number
      cookies?: CookieChanges
      /** A form of this page leads to another site, which may redirect again: browsers would check each step. */
      formLeadsElsewhere?: true
    }
  | { file: AsyncIterable<string>; type: string; name: string; cookies?: CookieChanges }
  | { seeOther: string; cookies?: CookieChanges }

/** A redirect after a delay, by the Refresh header and without a script. */
export type Refresh = { seconds: number; to: string }

export type PageMethod = 'GET' | 'POST'
export type FormErrors = Record<string, string>

/** One route, without the type of its form. */
export type PageRoute<Needs, Asked> = {
  method: PageMethod
  path: `/${string}`
  needs: Needs
  /** The form's fields, without the CSRF token. If they are invalid, `unfit` renders the response, if it is defined. */
  form?: z.ZodObject
  answer: (asked: Asked) => Promise<Shown> | Shown
  /** Shows the form again, with an error for each invalid field. */
  unfit?: (asked: Asked, faults: FormErrors) => Promise<Shown> | Shown
}
