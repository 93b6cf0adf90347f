import { type Bytes, concatenate, fromBase64, hexOf, sha256, textOf, utf8 } from '../bytes.ts'
import { assertPublicKey, isSignedBy } from '../ed25519.ts'
import { Refusal } from '../refusal.ts'

/** The key of a log, as a verifier key names it. */
export type VerifierKey = {
  readonly name: string
  /** Eight hexadecimal digits. */
  readonly id: string
  readonly publicKey: Bytes
}

/** Ed25519 in signed notes. */
const keyType = 0x01

export type NoteSignature = { readonly name: string; readonly id: string; readonly signature: Bytes }
export type SignedNote = { readonly text: string; readonly signatures: readonly NoteSignature[] }

/** Others may sign a note too. */
const maxNoteBytes = 65_536
const maxSignatures = 64
const keyName = /^[!-*,-~]+$/

/** Parses a verifier key, `name+id+base64`. */
export async function parseVerifierKey(vkey: string): Promise<VerifierKey> {
  const [, name = '', id = '', base64 = ''] = /^([^+]*)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(vkey) ?? []
  if (!base64) throw new Refusal('vkey_malformed')
  if (!keyName.test(name)) throw new Refusal('note_key_name')
  const typed = fromBase64(base64)
  const [type = 0, publicKey] = [typed[0], typed.slice(1)]
  if (type !== keyType) throw new Refusal('vkey_type')
  assertPublicKey(publicKey)
  if (id !== (await keyIdOf(name, typed))) throw new Refusal('vkey_id')
  return { name, id, publicKey }
}

const keyIdOf = async (name: string, typed: Bytes): Promise<string> =>
  hexOf((await sha256(concatenate(utf8(`${name}\n`), typed))).subarray(0, 4))

/** Splits a note into its text and its signatures. Verifies none of them. */
export function parseNote(source: string | Bytes): SignedNote {
  const bytes = typeof source === 'string' ? utf8(source) : source
  if (bytes.length > maxNoteBytes) throw new Refusal('note_too_large')
  const whole = textOf(bytes)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a note must not have
  if (whole === undefined || /[\u0000-\u0009\u000b-\u001f\u007f]/.test(whole)) throw new Refusal('note_not_text')
  const end = whole.lastIndexOf('\n\n')
  if (end < 0 || !whole.endsWith('\n') || end + 2 === whole.length) throw new Refusal('note_malformed')
  const lines = whole.slice(end + 2, -1).split('\n')
  if (lines.length > maxSignatures) throw new Refusal('note_too_large')
  return { text: whole.slice(0, end + 1), signatures: lines.map(parseSignatureLine) }
}

function parseSignatureLine(line: string): NoteSignature {
  if (!line.startsWith('\u2014 ')) throw new Refusal('note_signature_line')
  const at = line.lastIndexOf(' ')
  const name = line.slice(2, Math.max(2, at))
  if (!keyName.test(name)) throw new Refusal('note_key_name')
  const blob = fromBase64(line.slice(at + 1))
  if (blob.length < 5) throw new Refusal('note_signature_length')
  return { name, id: hexOf(blob.subarray(0, 4)), signature: blob.slice(4) }
}

/** Refuses the note unless the log signed it. A second signature by the same key must be valid as well. */
export async function checkLogSignature(note: SignedNote, key: VerifierKey): Promise<void> {
  const own = note.signatures.filter(({ name, id }) => name === key.name && id === key.id)
  if (own.length === 0) throw new Refusal('note_unsigned')
  for (const { signature } of own) {
    if (signature.length !== 64) throw new Refusal('note_signature_length')
    if (!(await isSignedBy(key.publicKey, utf8(note.text), signature)))
      throw new Refusal('note_signature_wrong', `The key: ${key.name}.`)
  }
}
