/** The local model reads at most this many windows of a text. It does not judge a longer text. */
export const mostWindows = 96

/** Measured on posts of all kinds: one window for each sentence and each run of thirty words. */
const charactersPerWindow = 60

/**
 * Estimates from its length how many windows of a text the local model reads. This is the unit of work in moderation:
 * fair shares, limits, timeouts and time estimates count windows, not posts.
 */
export function countWindows(...texts: readonly string[]): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return Math.min(mostWindows, 1 + Math.floor(characters / charactersPerWindow))
}
