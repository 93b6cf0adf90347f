import { readFileSync } from 'node:fs'

/** Where the script of the documentation is served. */
export const docsScriptPath = 'assets/docs.js'

export const docsScript = (): string => readFileSync(new URL('docs.js', import.meta.url), 'utf8')
