/**
 * The delay before a retry: it grows exponentially and half of it is random, so that clients that failed together do
 * not retry together.
 */
export function pauseBefore(retry: number, random: () => number): number {
  const ceilingMs = Math.min(250 * 2 ** retry, 8_000)
  return Math.round(ceilingMs * (0.5 + random() / 2))
}

/** The Retry-After header, in seconds or as a date, in milliseconds from now; undefined if it is missing or invalid. */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const value = headers?.get('retry-after') ?? ''
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Timers take at most this many milliseconds; a longer one would end at once. */
export const longestTimerMs = 2 ** 31 - 1

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, longestTimerMs))
  })
  return unlessAborted(waited, signal).finally(() => clearTimeout(timer))
}

/** The same result, or a rejection with the signal's reason as soon as it aborts. The work itself continues. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    work.finally(() => signal?.removeEventListener('abort', stop)).then(resolve, reject)
  })
}

/** A signal that aborts with that of the caller, or at the end of a timer. Throws if the caller has aborted. */
export function deadlineWith(caller: AbortSignal | undefined) {
  caller?.throwIfAborted()
  const either = new AbortController()
  const abort = () => either.abort(caller?.reason)
  let timer: ReturnType<typeof setTimeout>
  caller?.addEventListener('abort', abort)
  return {
    signal: either.signal,
    abort,
    clear: () => clearTimeout(timer),
    start: (milliseconds: number) => {
      clearTimeout(timer)
      timer = setTimeout(abort, milliseconds)
    },
    close: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', abort)
    },
  }
}
