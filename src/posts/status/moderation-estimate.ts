import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { timestamp } from '../../contract/fields.ts'
import type { Kind } from '../../kinds/index.ts'
import { countWindows } from '../../text-analysis/count-windows.ts'

/** How long a decision takes while the model runs, and while it starts, in words. */
export const decisionTimes = { running: 'about a minute', starting: 'about 20 minutes' } as const

/** The expected time of a decision, as shown in responses. */
export const moderationEstimate = z.strictObject({
  state: z.enum(['running', 'starting']).meta({
    description: `running: expect a decision within ${decisionTimes.running}. starting: the model is starting; expect ${decisionTimes.starting}.`,
  }),
  estimated_decision_at: timestamp.meta({ description: 'When to check again.' }),
  retry_after_seconds: z.int().min(1).meta({ description: 'Seconds until the next poll.' }),
})

export type ModerationEstimate = z.output<typeof moderationEstimate>

/** A post that is about to be queued, with its windows, or a queued post or edit. */
export type QueuePlace = { accountId: string } & ({ windows: number } | { postId: string; edit: number })

/** Provided by the code that runs the model, so that `posts` does not depend on `moderation`. */
export type Estimate = (call: Call, place: QueuePlace) => Promise<ModerationEstimate>

/** The same for several queued posts or edits of one account, in their order. */
export type EstimateQueued = (
  call: Call,
  accountId: string,
  places: readonly { postId: string; edit: number }[],
) => Promise<ModerationEstimate[]>

/** The number of windows in a post: the work that its moderation takes. */
export const postWindows = (kind: Kind, body: object): number =>
  countWindows(...kind.texts(body).map(({ text }) => text))
