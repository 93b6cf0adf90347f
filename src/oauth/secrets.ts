import { randomUUID } from 'node:crypto'
import { isSecretOf, newSecretOf } from '../accounts/keys/api-key.ts'
import { newToken } from '../accounts/sign-in/tokens.ts'

export const newAccessToken = () => newSecretOf('bsa_')
export const looksLikeAccessToken = (text: string) => isSecretOf('bsa_', text)

export const newDeviceCode = () => newSecretOf('bsd_')
export const looksLikeDeviceCode = (text: string) => isSecretOf('bsd_', text)

export const newClientId = () => `client_${randomUUID().replaceAll('-', '')}`

/**
 * A refresh token names its session, and only the hash of the newest is stored. A token with the right session and
 * another secret was therefore used before.
 */
export const newRefreshToken = (sessionId: string): string => newSecretOf(`bsr_${sessionId.replaceAll('-', '')}`)

/** The session that a refresh token names; null if it is mistyped. */
export function sessionOfRefreshToken(text: string): string | null {
  const id = /^bsr_([0-9a-f]{32})/.exec(text)?.[1]
  if (!id || !isSecretOf(`bsr_${id}`, text)) return null
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Consonants only: codes spell no words, and no letter looks like a digit. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

export function newUserCode(random: (max: number) => number): string {
  const code = Array.from({ length: 8 }, () => letters.charAt(random(letters.length))).join('')
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** The code as printed, however a person typed it; null if it cannot be one. */
export function readUserCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  return new RegExp(`^[${letters}]{8}$`).test(code) ? `${code.slice(0, 4)}-${code.slice(4)}` : null
}

/** Names a request in the address of a page. It gives no access. */
export const newRequestId = (): string => newToken()
