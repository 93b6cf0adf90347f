import type { Refresh } from '../route.ts'

const askAgainSeconds = 2
/** After so many looks a page stops asking by itself: whoever reads it must not be interrupted for ever. */
const maxLooks = 30

/**
 * When a page that waits for the provider is to look again; null when it has looked long enough. It counts from when the
 * browser came: how long somebody was at the provider says nothing.
 */
export function lookAgain(path: string, query: Record<string, string>): Refresh | null {
  const looks = Number(/^\d{1,2}$/.exec(query['looks'] ?? '')?.[0] ?? 0)
  return looks < maxLooks ? { seconds: askAgainSeconds, to: `${path}?looks=${looks + 1}` } : null
}
