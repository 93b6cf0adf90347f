import type { IdPrefix } from '../platform/identifiers.ts'

/** An identifier as an address has it; null when it cannot be one. Whose it is, the statement that uses it asks. */
export function readId(prefix: IdPrefix, text: string | undefined): string | null {
  const isId = new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(text ?? '')
  return isId ? String(text) : null
}
