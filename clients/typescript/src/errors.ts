import type { Draft, PostStatus } from './generated/types.ts'

/** Gives a class a name that stays when a bundler shortens the names of classes. */
export function named<Class extends { prototype: Error }>(name: string, made: Class): Class {
  made.prototype.name = name
  return made
}

type Refusal = { status?: number; headers?: Headers }

/** Every error of this client. */
export class BroadsideError extends Error {
  /** The status and the headers of the HTTP response, if there was one. */
  readonly status: number | undefined
  readonly headers: Headers | undefined

  constructor(message: string, { status, headers, ...options }: ErrorOptions & Refusal = {}) {
    super(message, options)
    this.status = status
    this.headers = headers
  }
}
named('BroadsideError', BroadsideError)

/** An option or argument is missing or not valid. Nothing was sent. */
export class ConfigurationError extends BroadsideError {}
named('ConfigurationError', ConfigurationError)

/** No complete response arrived. `cause` is the error of the connection. */
export class BroadsideConnectionError extends BroadsideError {}
named('BroadsideConnectionError', BroadsideConnectionError)

/** No complete response arrived within `timeoutMs`. */
export class BroadsideTimeoutError extends BroadsideConnectionError {}
named('BroadsideTimeoutError', BroadsideTimeoutError)

/** The owner must approve the posts of this key. The post waits as a draft and costs nothing until then. */
export class ApprovalRequiredError extends BroadsideError {
  readonly draft: Draft
  /** The page where the owner approves the draft. */
  readonly accountUrl: string | undefined

  constructor(draft: Draft, accountUrl: string | undefined) {
    super(`The owner must approve this post: draft ${draft.id} waits at ${accountUrl ?? 'the owner page'}`)
    this.draft = draft
    this.accountUrl = accountUrl
  }
}
named('ApprovalRequiredError', ApprovalRequiredError)

/** waitForDecision reached its timeout. The post is still waiting; you can wait again. */
export class WaitTimeoutError extends BroadsideError {
  /** The last status record. */
  readonly post: PostStatus

  constructor(post: PostStatus, timeoutMs: number) {
    super(`${post.id} is still in ${post.status} after ${timeoutMs / 1_000} seconds.`)
    this.post = post
  }
}
named('WaitTimeoutError', WaitTimeoutError)
