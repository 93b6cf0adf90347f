import type { Html } from './html.ts'

/**
 * JSON for a script element. Its strings can neither end the element nor open a comment: such characters are written as
 * JSON escapes, so that every JSON parser reads the same value.
 */
export function jsonInHtml(value: unknown): Html {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
