import type { z } from 'zod'
import type { KeyedCall } from '../../contract/call.ts'
import type { OperationAnswer } from '../../contract/define-operation.ts'
import type { Kind } from '../../kinds/index.ts'
import type { ModerationEstimate } from '../status/moderation-estimate.ts'

/** A submission that must wait for the owner's approval, for its time, or for both. */
export type WaitingSubmission = {
  kind: Kind
  body: object
  /** Null to publish as soon as the owner approves it. */
  publishAt: Date | null
  dryRun: boolean
  /** When a decision would be made if the post were submitted now. Only dry runs ask. */
  estimate: () => Promise<ModerationEstimate>
}

/** Keeps a submission as a draft. Provided by `drafts`, so that `posts` does not depend on it. */
export type Drafting = {
  answer: z.ZodType
  create: (call: KeyedCall, submission: WaitingSubmission) => Promise<OperationAnswer>
}
