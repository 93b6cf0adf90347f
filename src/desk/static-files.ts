import { staticFile } from '../web-pages/static-files.ts'
import { caseScript } from './case/script.ts'
import { passkeyScript } from './sign-in/script.ts'
import { deskStyle } from './stylesheet.ts'

/** All scripts for the desk: passkeys, which need JavaScript, and keyboard shortcuts. */
export const deskScript = [passkeyScript, caseScript].join('\n')

export const deskStyleFile = staticFile('/desk.css', 'text/css', deskStyle)
export const deskScriptFile = staticFile('/desk.js', 'text/javascript', deskScript)
