import type { FieldHints } from './field-hints.ts'
import { needsOwner, type ProblemCode, problems } from './problems.ts'

export type FieldError = { pointer: string; detail: string } & FieldHints

/** An operation that a caller may have meant. */
export type OperationHint = { method: string; path: string; url: string; docs: string }

export type ProblemMembers = {
  account_url?: string
  errors?: FieldError[]
  required_micros?: number
  required_scopes?: readonly string[]
  charged_micros?: number
  balance_micros?: number
  daily_cap_micros?: number
  spent_micros?: number
  category?: string
  reason?: string
  /** For an unknown path or method: the operation that is probably meant. */
  closest?: OperationHint
  /** For a wrong method: the operations at this path. */
  allowed?: readonly OperationHint[]
  /** For a missing or wrong key: the header as it must be. */
  expected?: string
  /** For a post of another site: its kind, and where it is. */
  kind?: string
  site_url?: string
}

type Options = { members?: ProblemMembers; headers?: Record<string, string>; cause?: unknown }

/** An error that a caller sees. `detail` is for the caller; `cause` is for the log. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly members: ProblemMembers
  readonly headers: Record<string, string>

  constructor(code: ProblemCode, detail: string, { members = {}, headers = {}, cause }: Options = {}) {
    super(detail, { cause })
    this.code = code
    this.members = members
    this.headers = headers
  }

  get status(): number {
    return problems[this.code].status
  }

  /** The same problem with more members and, if given, another sentence at the end of its detail. */
  with(members: ProblemMembers, sentence?: string): Problem {
    const { headers, cause } = this
    const detail = sentence ? `${this.message} ${sentence}` : this.message
    return new Problem(this.code, detail, { members: { ...this.members, ...members }, headers, cause })
  }

  withHeaders(added: Record<string, string>): Problem {
    const { members, headers, cause } = this
    return new Problem(this.code, this.message, { members, headers: { ...headers, ...added }, cause })
  }
}

/** The RFC 9457 document, including the older `error` object. */
export function problemDocument(problem: Problem, { baseUrl, requestId }: { baseUrl: string; requestId: string }) {
  const { code, message, members, headers } = problem
  const { status, title } = problems[code]
  const { account_url } = members
  const owner = needsOwner(code) ? { ...(account_url && { account_url }), for_human: true } : {}
  return {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    detail: message,
    code,
    instance: requestId,
    ...members,
    ...(members.errors && { errors: members.errors.map((error) => withAddress(error, baseUrl)) }),
    ...owner,
    // MCP clients do not see headers.
    ...(headers['retry-after'] && { retry_after_seconds: Number(headers['retry-after']) }),
    error: { code, message, ...owner },
  }
}

const withAddress = (error: FieldError, baseUrl: string): FieldError =>
  error.docs?.startsWith('/') ? { ...error, docs: `${baseUrl}${error.docs}` } : error
