import { html } from 'ghtml'

/**
 * HTML that is already escaped. User text enters through an `html` template, which escapes every value; only another
 * `html` result, marked with `!`, is inserted unchanged.
 */
export type Html = string

export { html }
