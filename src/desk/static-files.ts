import { staticFile } from '../web-pages/static-files.ts'
import { caseScript } from './case/script.ts'
import { passkeyScript } from './sign-in/script.ts'
import { deskStyle } from './stylesheet.ts'

/** All that runs in the browser: passkeys, which no page can have without it, and the keyboard. */
export const deskScript = [passkeyScript, caseScript].join('\n')

export const deskStyleFile = staticFile('/desk.css', 'text/css', deskStyle)
export const deskScriptFile = staticFile('/desk.js', 'text/javascript', deskScript)
