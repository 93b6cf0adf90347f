import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { timestamp } from '../../contract/fields.ts'
import type { Kind } from '../../kinds/index.ts'
import { countWindows } from '../../text-analysis/count-windows.ts'

/** When a decision is to be expected, as the answer says it. */
export const moderationEstimate = z.strictObject({
  state: z.enum(['running', 'starting']).meta({
    description: 'running: decided within about a minute. starting: the model is being started; about 20 minutes.',
  }),
  estimated_decision_at: timestamp.meta({ description: 'When to check again.' }),
  retry_after_seconds: z.int().min(1).meta({ description: 'Seconds until the next poll.' }),
})

export type ModerationEstimate = z.output<typeof moderationEstimate>

/** A post that is about to be queued, with its work, or a post or edit that waits. */
export type QueuePlace = { accountId: string } & ({ windows: number } | { postId: string; edit: number })

/** Given by who runs the model: posts do not know it. */
export type Estimate = (call: Call, place: QueuePlace) => Promise<ModerationEstimate>

/** How much work a post is to moderate. */
export const postWindows = (kind: Kind, body: object): number =>
  countWindows(...kind.texts(body).map(({ text }) => text))
