/** The time this many seconds after another. */
export const secondsLater = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1_000)
