import { noteSigner, testKey } from '../../../../../tooling/transparency/test-keys.ts'
import { TestLog } from '../../../../../tooling/transparency/test-log.ts'
import { logSigner, testKeys } from '../../../../../tooling/transparency/test-posts.ts'
import type { Genuine } from './genuine.ts'
import type { Tampering } from './with-posts.ts'

/** Replaces something in the signed checkpoint of the proof. */
const rewrite = (from: string | RegExp, to: string) => (genuine: Genuine) => {
  genuine.proof.checkpoint = genuine.proof.checkpoint.replace(from, to)
}
const textOf = ({ proof }: Genuine) => `${proof.checkpoint.split('\n').slice(0, 3).join('\n')}\n`

/** Replaces the text of the checkpoint, and lets the log sign it. */
const resign = (change: (lines: string[]) => string[]) => (genuine: Genuine) => {
  const text = change(textOf(genuine).split('\n')).join('\n')
  genuine.proof.checkpoint = `${text}\n${logSigner.signatureLine(text)}`
}

/** Changes the blob of a signature line. */
const reblob = (name: string, change: (blob: Buffer) => Buffer) => (genuine: Genuine) => {
  const line = new RegExp(`(?<=^— ${name} )(.*)$`, 'm')
  genuine.proof.checkpoint = genuine.proof.checkpoint.replace(line, (blob) =>
    change(Buffer.from(blob, 'base64')).toString('base64'),
  )
}

const withLogKey = ({ keys }: Genuine, vkey: string) => {
  keys.logs = keys.logs.map((log) => ({ ...log, vkey }))
}
const log = logSigner.name.replaceAll('.', '\\.')
const size = (written: string) => resign(([origin = '', , root = '', end = '']) => [origin, written, root, end])

const rows: [number | undefined, string, Tampering['code'], Tampering['tamper']][] = [
  [
    10,
    'a note without a blank line',
    'proof_malformed',
    (genuine) => {
      genuine.proofBytes = Buffer.from(`c2sp.org/tlog-proof@v1\nindex 1\n${textOf(genuine)}`)
    },
  ],
  [
    10,
    'a note without signatures',
    'note_malformed',
    (genuine) => {
      genuine.proof.checkpoint = `${textOf(genuine)}\n`
    },
  ],
  [10, 'a note without a final newline', 'note_malformed', rewrite(/\n$/, '')],
  [11, 'a carriage return in a note', 'note_not_text', rewrite('\n', '\r\n')],
  [11, 'a null character in a note', 'note_not_text', rewrite('\n', '\0\n')],
  [
    11,
    'a note that is not UTF-8',
    'note_not_text',
    (genuine) => {
      const bytes = Buffer.from(`c2sp.org/tlog-proof@v1\nindex 1\n\n${genuine.proof.checkpoint}`)
      bytes[bytes.indexOf(0xe2)] = 0xff
      genuine.proofBytes = bytes
    },
  ],
  [12, 'a hyphen before a signature', 'note_signature_line', rewrite('— ', '- ')],
  [12, 'an en dash before a signature', 'note_signature_line', rewrite('— ', '– ')],
  [13, 'an empty key name', 'note_key_name', rewrite(`— ${logSigner.name} `, '—  ')],
  [13, 'a key name with a space', 'note_key_name', rewrite(`— ${logSigner.name} `, `— ${logSigner.name} x `)],
  [13, 'a key name with a plus sign', 'note_key_name', rewrite(`— ${logSigner.name} `, `— ${logSigner.name}+x `)],
  [9, 'base64 without padding in a note', 'base64_not_canonical', rewrite(/=+\n$/, '\n')],
  [14, 'a log signature of 67 bytes', 'note_signature_length', reblob(log, (blob) => blob.subarray(0, -1))],
  [
    14,
    'a log signature of 69 bytes',
    'note_signature_length',
    reblob(log, (blob) => Buffer.concat([blob, Buffer.of(0)])),
  ],
  [
    15,
    'a wrong signature of the log',
    'note_signature_wrong',
    reblob(log, (blob) => {
      blob[10] = (blob[10] ?? 0) ^ 1
      return blob
    }),
  ],
  [
    15,
    'a wrong signature of the log after a right one',
    'note_signature_wrong',
    (genuine) => {
      genuine.proof.checkpoint += logSigner.signatureLine('other\n')
    },
  ],
  [
    5,
    'a log signature with S that is too large',
    'signature_malformed',
    reblob(log, (blob) => {
      blob[67] = 0xff
      return blob
    }),
  ],
  [
    16,
    'a checkpoint by an unknown key',
    'note_unsigned',
    (genuine) => {
      genuine.proof.checkpoint = new TestLogOf(genuine).checkpoint()
    },
  ],
  [
    16,
    'a checkpoint with another signature only',
    'note_unsigned',
    rewrite(/— posts.*\n/, `— w ${Buffer.alloc(68).toString('base64')}\n`),
  ],
  [
    17,
    'a checkpoint of another log',
    'foreign_origin',
    (genuine) => {
      const other = new TestLog(noteSigner('other.example/log', testKeys.log))
      other.append('{}')
      genuine.proof.checkpoint = other.checkpoint()
    },
  ],
  [
    17,
    'a log key under another name',
    'foreign_origin',
    (genuine) => {
      const other = noteSigner('other.example/log', testKeys.log)
      withLogKey(genuine, other.vkey)
    },
  ],
  [18, 'a size with a leading zero', 'checkpoint_size', size('0338')],
  [18, 'a size with a sign', 'checkpoint_size', size('+338')],
  [18, 'a size of 2^63', 'checkpoint_size', size(String(2n ** 63n))],
  [18, 'an empty size', 'checkpoint_size', size('')],
  [
    19,
    'a root of 31 bytes',
    'checkpoint_root',
    resign(([origin = '', count = '']) => [origin, count, Buffer.alloc(31).toString('base64'), '']),
  ],
  [
    undefined,
    'a fourth line in the checkpoint',
    'checkpoint_malformed',
    resign((lines) => [...lines.slice(0, 3), 'more', '']),
  ],
  [
    20,
    'a log key with another identifier',
    'vkey_id',
    (genuine) => {
      withLogKey(genuine, logSigner.vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+'))
    },
  ],
  [
    20,
    'a log key of another type',
    'vkey_type',
    (genuine) => {
      withLogKey(genuine, noteSigner(logSigner.name, testKeys.log, 4).vkey)
    },
  ],
  [
    6,
    'a log key of small order',
    'key_small_order',
    (genuine) => {
      const weak = { ...testKey(9), publicKey: Buffer.concat([Buffer.of(1), Buffer.alloc(31)]) }
      withLogKey(genuine, noteSigner(logSigner.name, weak).vkey)
    },
  ],
  [
    23,
    'an oversized note',
    'note_too_large',
    (genuine) => {
      genuine.proof.checkpoint += `— x ${Buffer.alloc(60_000).toString('base64')}\n`
    },
  ],
  [
    23,
    'a note with too many signatures',
    'note_too_large',
    (genuine) => {
      genuine.proof.checkpoint += `— x ${Buffer.alloc(68).toString('base64')}\n`.repeat(64)
    },
  ],
]

/** The same entries, signed by a key that nobody published. */
class TestLogOf extends TestLog {
  constructor({ log }: Genuine) {
    super(noteSigner(log.origin, testKeys.forger))
    for (const entry of log.entries.slice(0, 10)) this.append(entry)
  }
}

export const tamperingWithNotes: readonly Tampering[] = rows.map(([refusal, name, code, tamper]) => ({
  ...(refusal !== undefined && { refusal }),
  name,
  check: 'proof',
  code,
  tamper,
}))
