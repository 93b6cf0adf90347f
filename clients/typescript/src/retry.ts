/**
 * The delay before a retry: it grows exponentially and half of it is random, so that clients that failed together do
 * not retry together.
 */
export function pauseBefore(retry: number, random: () => number): number {
  const ceilingMs = Math.min(250 * 2 ** retry, 8_000)
  return Math.round(ceilingMs * (0.5 + random() / 2))
}

/** The Retry-After header, in seconds or as a date, in milliseconds from now; undefined if it is missing or invalid. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
