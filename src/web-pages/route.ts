import type { z } from 'zod'
import type { Html } from '../markup/html.ts'
import type { CookieChanges } from './cookies.ts'

/** What every handler receives. */
export type Asking<Form> = {
  params: Record<string, string>
  query: Record<string, string>
  form: Form
  /** The CSRF token for each form of the page. */
  csrf: string
  /** A short description: "Firefox on Linux". */
  browser: string
}

/** A page, a file or a redirect. */
export type Shown =
  | { page: Html; status?: number; refresh?: Refresh; cookies?: CookieChanges }
  | { file: AsyncIterable<string>; type: string; name: string; cookies?: CookieChanges }
  | { seeOther: string; cookies?: CookieChanges }

/** The browser goes there after this delay, without a script. */
export type Refresh = { seconds: number; to: string }

export type PageMethod = 'GET' | 'POST'
export type FormErrors = Record<string, string>

/** One route, without the type of its form. */
export type PageRoute<Needs, Asked> = {
  method: PageMethod
  path: `/${string}`
  needs: Needs
  /** The form's fields besides the token. If they are invalid, `unfit` renders the page if it is defined. */
  form?: z.ZodObject
  answer: (asked: Asked) => Promise<Shown> | Shown
  /** Shows the form again, with an error for each invalid field. */
  unfit?: (asked: Asked, faults: FormErrors) => Promise<Shown> | Shown
}
