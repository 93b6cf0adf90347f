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
  required_scopes?: readonly string[]
  balance_micros?: number
  /** The same value as the Retry-After header, if the response has one. */
  retry_after_seconds?: number
  /** The policy category and what to change, if a rule rejected the text. */
  category?: string
  reason?: string
  /** The same problem in the older format. */
  error: { code: ProblemCode; message: string; account_url?: string; for_human?: boolean }
}

/** A problem that the service returned. `code` is stable; `accountUrl` is for the account's owner. */
export class BroadsideProblem extends Error {
  override readonly name = 'BroadsideProblem'
  readonly code: ProblemCode
  readonly status: number
  /** The page that explains this problem and what to do. */
  readonly type: string
  /** The request id. Include it when you report a problem. */
  readonly instance: string
  /** The page that the owner must open if only a person can continue. */
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

/** Whether the error is a problem from the service and, if codes are given, has one of them. */
export function isProblem(error: unknown, ...codes: ProblemCode[]): error is BroadsideProblem {
  return error instanceof BroadsideProblem && (codes.length === 0 || codes.includes(error.code))
}
