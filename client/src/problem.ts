import type { ProblemCode } from './generated.ts'

export type ProblemDocument = {
  type: string
  title: string
  status: number
  detail: string
  code: ProblemCode
  instance: string
  account_url?: string
  for_human?: boolean
  errors?: { pointer: string; detail: string }[]
  required_micros?: number
  balance_micros?: number
  /** As the header Retry-After has it, where that is sent. */
  retry_after_seconds?: number
  /** The policy's category and what to change, where a rule refused the text. */
  category?: string
  reason?: string
  /** The older form of the same. */
  error: { code: ProblemCode; message: string; account_url?: string; for_human?: boolean }
}

/** What the service refused, and why. `code` is stable; `accountUrl` is for the account's owner. */
export class BroadsideProblem extends Error {
  override readonly name = 'BroadsideProblem'
  readonly code: ProblemCode
  readonly status: number
  /** The page that says what this problem means and what to do. */
  readonly type: string
  /** Names the request when you report it. */
  readonly instance: string
  /** Where the owner must go, when only a person can go on. */
  readonly accountUrl: string | undefined
  readonly document: ProblemDocument
  readonly headers: Headers

  constructor(document: ProblemDocument, headers: Headers) {
    super(`${document.code}: ${document.detail}`)
    this.code = document.code
    this.status = document.status
    this.type = document.type
    this.instance = document.instance
    this.accountUrl = document.account_url
    this.document = document
    this.headers = headers
  }
}

/** True for a problem of the service and, when codes are given, for one of these. */
export function isProblem(error: unknown, ...codes: ProblemCode[]): error is BroadsideProblem {
  return error instanceof BroadsideProblem && (codes.length === 0 || codes.includes(error.code))
}
