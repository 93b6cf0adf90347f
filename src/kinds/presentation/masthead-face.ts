import { readFileSync } from 'node:fs'

/** The folder with the typeface of all mastheads, Abril Fatface, and its licence. */
export const mastheadFolder = new URL('./masthead-face/', import.meta.url)

/** For pages that are not written by `publishing/`: the owner page and the desk. */
export const readMastheadFont = (): Buffer => readFileSync(new URL('abril-fatface.woff2', mastheadFolder))
