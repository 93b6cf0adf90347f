import { Refusal } from './refusal.ts'

export type Bytes = Uint8Array<ArrayBuffer>

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** The text; undefined if the bytes are not UTF-8. A byte order mark stays part of the text. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function concatenate(...parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

export const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Reads standard base64 with padding. Other spellings of the same bytes are refused. */
export function fromBase64(text: string): Bytes {
  const bytes = decode(text)
  if (bytes === undefined || toBase64(bytes) !== text) throw new Refusal('base64_not_canonical')
  return bytes
}

/** Reads base64url without padding. Other spellings of the same bytes are refused. */
export function fromBase64Url(text: string): Bytes {
  const bytes = decode(text.replaceAll('-', '+').replaceAll('_', '/'))
  if (bytes === undefined || toBase64Url(bytes) !== text) throw new Refusal('base64_not_canonical')
  return bytes
}

function decode(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
