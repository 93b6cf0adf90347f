/** The local model reads at most this many windows of a text. A longer text counts as not judged. */
export const mostWindows = 96

/** Measured on posts of all kinds: one window for each sentence and each run of thirty words. */
const charactersPerWindow = 60

/**
 * Estimated number of windows that the local model reads of a text, by its length. This is the unit of work in
 * moderation: fair shares, limits, timeouts and time estimates count windows and not posts.
 */
export function countWindows(...texts: readonly string[]): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return Math.min(mostWindows, 1 + Math.floor(characters / charactersPerWindow))
}
