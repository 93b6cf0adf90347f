import type { Html } from './html.ts'

/**
 * JSON for a script element. Characters that could end the element or open a comment are written as JSON escapes, so a
 * JSON parser still reads the same value.
 */
export function jsonInHtml(value: unknown): Html {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
