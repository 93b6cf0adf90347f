import { BroadsideError, named } from './errors.ts'
import type { Kind, ProblemCode } from './generated/types.ts'
import { retryAfterMs } from './retry.ts'

/** One invalid field, and how to correct it. */
export type FieldProblem = {
  /** A JSON pointer to the field, such as #/text. */
  pointer: string
  detail: string
  /** The valid names or values. */
  allowed?: unknown[]
  /** The valid name or value that is most like the one you sent. */
  closest?: unknown
  /** The shape of a valid value, or an example of one. */
  expected?: unknown
  /** The page that describes the field. */
  docs?: string
}

export type ProblemDocument<Code extends ProblemCode = ProblemCode> = {
  type: string
  title: string
  status: number
  detail: string
  code: Code
  instance: string
  account_url?: string
  for_human?: boolean
  errors?: FieldProblem[]
  required_micros?: number
  required_scopes?: readonly string[]
  charged_micros?: number
  balance_micros?: number
  daily_cap_micros?: number
  spent_micros?: number
  /** The same value as the Retry-After header, if the response has one. */
  retry_after_seconds?: number
  /** The policy category and what to change, if a rule rejected the text. */
  category?: string
  reason?: string
  /** In post_not_found: the post exists at this other site. */
  kind?: Kind
  site_url?: string
  /** The same problem in the older format. */
  error: { code: Code; message: string; account_url?: string; for_human?: boolean }
}

/** A problem that the service returned. Each code has a class of its own, such as InsufficientBalanceError. */
export class BroadsideProblem<Code extends ProblemCode = ProblemCode> extends BroadsideError {
  /** Stable: decide by this, not by the text. */
  readonly code: Code
  declare readonly status: number
  readonly detail: string
  /** The invalid fields; empty if the problem is not about fields. */
  readonly errors: readonly FieldProblem[]
  /** The page that explains this problem and what to do. */
  readonly type: string | undefined
  /** The page that the owner must open if only a person can continue. */
  readonly accountUrl: string | undefined
  /** Include it when you report a problem. */
  readonly requestId: string | undefined
  /** How long to wait before a retry, if a retry helps. */
  readonly retryAfterSeconds: number | undefined
  readonly document: ProblemDocument<Code>
  declare readonly headers: Headers

  /** `call` is the method and path template of the call, for the message. */
  constructor(document: ProblemDocument<Code>, headers: Headers, call?: string, status = document.status) {
    const { code, detail = '', errors, instance } = document
    const fields = Array.isArray(errors) ? errors.filter((error) => error && typeof error === 'object') : []
    const origin = [call, instance && `request ${instance}`].filter(Boolean).join(', ')
    super([`${code}:`, detail, fieldsIn(fields), origin && `(${origin})`].filter(Boolean).join(' '), {
      status,
      headers,
    })
    this.code = code
    this.detail = detail
    this.errors = fields
    this.type = document.type
    this.accountUrl = document.account_url
    this.requestId = instance
    const waitMs = retryAfterMs(headers, Date.now())
    this.retryAfterSeconds = waitMs === undefined ? document.retry_after_seconds : Math.ceil(waitMs / 1_000)
    this.document = document
  }
}
named('BroadsideProblem', BroadsideProblem)

const shownFields = 5

/** Names the fields and never repeats a value that was sent, because a message ends up in a log. */
function fieldsIn(errors: readonly FieldProblem[]): string {
  const shown = errors
    .slice(0, shownFields)
    .map((error) =>
      `${String(error.pointer ?? '').replace(/^#/, '')} ${error.detail ?? 'is not valid'}${hintsIn(error)}`.trim(),
    )
  const more = errors.length - shown.length
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** What would be valid. A long list of valid values is only in `errors`. */
function hintsIn({ closest, allowed, expected }: FieldProblem): string {
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  // null counts as missing.
  const list = (closest ?? null) === null && Array.isArray(allowed) && allowed.length <= 20 ? allowed : undefined
  const hints = [
    (closest ?? null) !== null && `did you mean ${shown(closest)}?`,
    list && `allowed: ${list.map(shown).join(', ')}`,
    (expected ?? null) !== null && `expected: ${shown(expected)}`,
  ].filter(Boolean)
  return hints.length > 0 ? ` (${hints.join(', ')})` : ''
}

export type ProblemClass<Code extends ProblemCode> = {
  new (...args: ConstructorParameters<typeof BroadsideProblem<Code>>): BroadsideProblem<Code>
  readonly prototype: BroadsideProblem<Code>
}

const classes = new Map<string, unknown>()

/** The class of a code. It is made once, so that `instanceof` works for every copy of the reference. */
export function problemClass<Code extends ProblemCode>(code: Code): ProblemClass<Code> {
  if (!classes.has(code)) {
    const pascal = code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
    classes.set(code, named(`${pascal.replace(/Error$/, '')}Error`, class extends BroadsideProblem<Code> {}))
  }
  return classes.get(code) as ProblemClass<Code>
}

/** Whether the error is a problem from the service and, if codes are given, has one of them. */
export function isProblem<Code extends ProblemCode = ProblemCode>(
  error: unknown,
  ...codes: Code[]
): error is BroadsideProblem<Code> {
  return error instanceof BroadsideProblem && (codes.length === 0 || codes.includes(error.code as Code))
}
