import { caseScript } from './case/script.ts'
import { passkeyScript } from './sign-in/script.ts'

/** All that runs in the browser: passkeys, which no page can have without it, and the keyboard. */
export const script = [passkeyScript, caseScript].join('\n')
