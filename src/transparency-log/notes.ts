import { createHash, type KeyObject } from 'node:crypto'
import {
  ed25519SignatureBytes,
  publicBytesOf,
  publicKeyFromBytes,
  signEd25519,
  verifyEd25519,
} from '../platform/ed25519.ts'

/** The type of Ed25519 keys in signed notes (C2SP signed-note). */
const noteType = 0x01

/** The public key of a log, with its name. */
export type NoteKey = { name: string; id: Buffer; key: KeyObject }

export type NoteSigner = { name: string; privateKey: KeyObject; verifierKey: string }

export function openNoteSigner(name: string, privateKey: KeyObject): NoteSigner {
  const typed = Buffer.concat([Buffer.of(noteType), publicBytesOf(privateKey)])
  const verifierKey = `${name}+${keyIdOf(name, typed).toString('hex')}+${typed.toString('base64')}`
  return { name, privateKey, verifierKey }
}

const keyIdOf = (name: string, typed: Buffer) =>
  createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)

/** Reads `name+hex of the id+base64 of the type and the key`. Throws if it is not such a key. */
export function parseVerifierKey(text: string): NoteKey {
  const [name = '', id = ''] = text.split('+')
  // Base64 may contain a plus.
  const encoded = text.slice(name.length + id.length + 2)
  const typed = Buffer.from(encoded, 'base64')
  const isCanonical = typed.toString('base64') === encoded
  if (!/^[^\s+]+$/u.test(name) || !isCanonical || typed.length !== 33)
    throw new Error('this is not a key of a signed note')
  if (typed[0] !== noteType) throw new Error('the key of the note has an unknown type')
  if (keyIdOf(name, typed).toString('hex') !== id) throw new Error('the id of the key does not match it')
  return { name, id: Buffer.from(id, 'hex'), key: publicKeyFromBytes(typed.subarray(1)) }
}

/** Signs a text that ends with a line break. */
export function signNote({ name, privateKey, verifierKey }: NoteSigner, text: string): string {
  const { id } = parseVerifierKey(verifierKey)
  const blob = Buffer.concat([id, signEd25519(privateKey, text)])
  return `${text}\n— ${name} ${blob.toString('base64')}\n`
}

type Note = { text: string; lines: string[] }

/** Splits a note at its last blank line. Undefined if it has none, or if a line is not a signature. */
export function splitNote(note: string): Note | undefined {
  const blank = note.lastIndexOf('\n\n')
  if (blank < 0 || !note.endsWith('\n')) return undefined
  const lines = note.slice(blank + 2, -1).split('\n')
  return lines.every((line) => signatureLine.test(line)) ? { text: note.slice(0, blank + 1), lines } : undefined
}

const signatureLine = /^— [^\s+]+ [A-Za-z0-9+/]+={0,2}$/u

/** The line of this key, if the note has a valid one. */
export function findSignature({ text, lines }: Note, key: NoteKey): string | undefined {
  return lines.find((line) => isSignedBy(text, line, key))
}

function isSignedBy(text: string, line: string, { name, id, key }: NoteKey): boolean {
  const [, signer, encoded = ''] = line.split(' ')
  const blob = Buffer.from(encoded, 'base64')
  if (signer !== name || !blob.subarray(0, 4).equals(id) || blob.toString('base64') !== encoded) return false
  return blob.length === 4 + ed25519SignatureBytes && verifyEd25519(key, text, blob.subarray(4))
}
