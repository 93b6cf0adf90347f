import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import type { Call } from '../platform/call.ts'

/** When a decision is to be expected, as the answer says it. */
export const moderationEstimate = z.strictObject({
  state: z.enum(['running', 'starting']).meta({
    description: 'running: decided within about a minute. starting: the model is being started; about 20 minutes.',
  }),
  estimated_decision_at: timestamp.meta({ description: 'When to check again.' }),
  retry_after_seconds: z.int().min(1).meta({ description: 'Seconds until the next poll.' }),
})

export type ModerationEstimate = z.output<typeof moderationEstimate>

/** Given by who runs the model: posts do not know it. A post that joins the queue stands behind all that wait. */
export type Estimate = (call: Call, position: 'joining' | 'waiting') => Promise<ModerationEstimate>
