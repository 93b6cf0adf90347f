import { ServiceFault } from '../platform/outbound-http/configured-service.ts'

/**
 * Why a stage gave no answer. `too_long` will be so for ever: such a post is a person's case. The others may pass.
 * `busy`: no answer came in time, and the model is at work on other questions. No
 * text of the post or of the answer is in it: it may end in a log.
 */
export class ModelFault extends Error {
  readonly kind: ServiceFault['kind'] | 'not_an_answer' | 'too_long' | 'busy'
  /** The status that was answered, when that is the fault. */
  readonly status: number | undefined

  constructor(kind: ModelFault['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.status = cause instanceof ServiceFault ? cause.status : undefined
  }
}
