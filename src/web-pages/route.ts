import type { z } from 'zod'
import type { Html } from '../markup/html.ts'
import type { CookieChanges } from './cookies.ts'

/** What a handler is asked, whoever asks. */
export type Asking<Form> = {
  params: Record<string, string>
  query: Record<string, string>
  form: Form
  /** What each form of the page must carry. */
  csrf: string
  /** A few words: "Firefox on Linux". */
  browser: string
}

/** A page, a file, or the way to another page. */
export type Shown =
  | { page: Html; status?: number; refresh?: Refresh; cookies?: CookieChanges }
  | { file: AsyncIterable<string>; type: string; name: string; cookies?: CookieChanges }
  | { seeOther: string; cookies?: CookieChanges }

/** After so long the browser goes there by itself, also without a script. */
export type Refresh = { seconds: number; to: string }

export type PageMethod = 'GET' | 'POST'
export type FormErrors = Record<string, string>

/** One address of a door, with the types of its own form put aside. */
export type PageRoute<Needs, Asked> = {
  method: PageMethod
  path: `/${string}`
  needs: Needs
  /** What a form sends beside its token. What does not fit is answered by the page itself when it has `unfit`. */
  form?: z.ZodObject
  answer: (asked: Asked) => Promise<Shown> | Shown
  /** Shows the form again, with what is wrong with it: a sentence for each field. */
  unfit?: (asked: Asked, faults: FormErrors) => Promise<Shown> | Shown
}
