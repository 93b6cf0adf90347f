export type { Answer, CallOptions } from './call.ts'
export { Broadside, type BroadsideOptions } from './client.ts'
export * from './generated.ts'
export { BroadsideProblem, isProblem } from './problem.ts'
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
