/** How deliveries are made, as data: the sender, the documents and the tests read the same numbers. */

const hour = 3_600

/** Seconds after the attempt before: eight attempts within 23 h 35 min. */
export const attemptDelaysSeconds = [0, 5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 6 * hour] as const
/** Each delay is up to so much longer or shorter, so that what failed together does not return together. */
export const jitterShare = 0.1
/** A Retry-After beyond this is not honoured. */
export const longestRetryAfterSeconds = hour

/** From the look-up of the name to the status of the answer. */
export const attemptTimeoutSeconds = 15
/** Nobody reads what a receiver answers; as much is read as lets the connection be used again. */
export const maxResponseBytes = 64 * 1024
/** What receivers are told to allow between their clock and ours. */
export const timestampToleranceSeconds = 300

/** An endpoint that answered nothing with success for so long is disabled. */
export const disabledAfterMs = 5 * 24 * hour * 1_000
/** How long a secret that was replaced goes on signing beside the new one. */
export const secretOverlapMs = 24 * hour * 1_000
/** More than this many secrets never sign at once, however often they are rotated. */
export const maxSigningSecrets = 4
/** How long deliveries and their attempts can be looked at and replayed. */
export const keptMs = 30 * 24 * hour * 1_000
/** One call replays no more than this. */
export const maxReplayed = 10_000
