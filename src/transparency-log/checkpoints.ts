import { findSignature, type NoteKey, splitNote } from './notes.ts'

export type Checkpoint = { origin: string; size: number; root: Buffer }
/** What readers see, once it was compared with the database. */
export type Published = Pick<Checkpoint, 'size' | 'root'>

/** The text of a checkpoint (C2SP tlog-checkpoint), without extension lines. */
export const writeCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`

/** Reads a checkpoint that this key signed. Undefined if it is not one. */
export function readCheckpoint(note: string, key: NoteKey): Checkpoint | undefined {
  const parts = splitNote(note)
  if (!parts || !findSignature(parts, key)) return undefined
  const [origin = '', size = '', encoded = '', end, ...rest] = parts.text.split('\n')
  const root = Buffer.from(encoded, 'base64')
  const isValid =
    end === '' && rest.length === 0 && /^(?:0|[1-9]\d{0,15})$/.test(size) && root.toString('base64') === encoded
  return isValid && root.length === 32 && origin === key.name ? { origin, size: Number(size), root } : undefined
}
