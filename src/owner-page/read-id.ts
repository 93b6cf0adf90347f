import type { IdPrefix } from '../platform/identifiers.ts'

/** An id from a URL; null if it is malformed. The query that uses it checks the owner. */
export function readId(prefix: IdPrefix, text: string | undefined): string | null {
  const isId = new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(text ?? '')
  return isId ? String(text) : null
}
