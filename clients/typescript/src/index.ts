export { Broadside } from './broadside.ts'
export type { Answer, CallOptions } from './call.ts'
export {
  ApprovalRequiredError,
  BroadsideConnectionError,
  BroadsideError,
  BroadsideTimeoutError,
  ConfigurationError,
  WaitTimeoutError,
} from './errors.ts'
export * from './generated/problems.ts'
export type * from './generated/types.ts'
export type { WithResponse } from './operations.ts'
export type { BroadsideOptions } from './options.ts'
export { BroadsideProblem, type FieldProblem, isProblem, type ProblemDocument } from './problem.ts'
export type { OwnStreamEvent, OwnStreamOptions, StreamEvent, StreamOptions } from './stream.ts'
export {
  isWebhookEvent,
  type UnknownWebhookEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookDraftEvent,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookPostEvent,
  type WebhookRefusal,
  type WebhookTestEvent,
  WebhookVerificationError,
} from './verify.ts'
export type { WaitOptions } from './wait.ts'
