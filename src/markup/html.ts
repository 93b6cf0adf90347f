import { html } from 'ghtml'

/**
 * HTML that is already escaped. An `html` template escapes every value, except values marked with `!`, which must be
 * results of another `html` template.
 */
export type Html = string

export { html }
