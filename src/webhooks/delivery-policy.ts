import { allowances } from '../contract/limits.ts'

/** The delivery policy as data. The sender, the documentation and the tests read these numbers. */

const hour = 3_600

/**
 * The retry schedule: seconds after the previous attempt, so the last number is not the time since the event. This list is the only place that holds it. The sender, the
 * stored attempts, AsyncAPI, `/docs/webhooks/`, `/docs/limits/`, the owner page and the tests derive from it, so a change
 * needs only `npm run generate` and a file in .changeset/.
 */
export const attemptDelaysSeconds = [0, 5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 6 * hour] as const
/** Each delay varies by up to this share, so that deliveries that failed together do not retry together. */
export const jitterShare = 0.1
/** A longer Retry-After is ignored. */
export const longestRetryAfterSeconds = hour

/** From the DNS lookup to the status of the response. */
export const attemptTimeoutSeconds = 15
/** Nobody uses the response body; this much is read so that the connection can be reused. */
export const maxResponseBytes = 64 * 1024
/** The clock difference that receivers should allow. */
export const timestampToleranceSeconds = 300

/** An endpoint without a successful delivery for this long is disabled. */
export const disabledAfterDays = 5
export const disabledAfterMs = disabledAfterDays * 24 * hour * 1_000
/** How long a replaced secret keeps signing along with the new one. */
export const secretOverlapMs = 24 * hour * 1_000
/** Maximum number of secrets that sign at once, however often they are rotated. */
export const maxSigningSecrets = 4
/** Maximum number of deliveries that one call replays: never more than a day's allowance. */
export const maxReplayed = allowances['requested-deliveries-per-account'].max
