import { TestLog } from '../../../../../tooling/transparency/test-log.ts'
import { logSigner, testSalt } from '../../../../../tooling/transparency/test-posts.ts'
import { type Genuine, someEntry } from './genuine.ts'
import type { Tampering } from './with-posts.ts'

/** The log with one other entry, signed by the same key. */
function forked({ log }: Genuine, changed: number, size = log.size): TestLog {
  const fork = new TestLog(logSigner)
  for (const [index, entry] of log.entries.slice(0, size).entries())
    fork.append(index === changed ? someEntry(index + 1e6) : entry)
  return fork
}

/** Changes what the log serves at some paths. */
const serve = (path: RegExp, change: (file: Buffer) => Buffer | undefined) => (genuine: Genuine) => {
  const { file } = genuine
  genuine.file = (asked) => {
    const found = file(asked)
    return found && path.test(asked) ? change(Buffer.from(found)) : found
  }
}

const flip = (at: number) => (file: Buffer) => {
  file[at] = (file[at] ?? 0) ^ 1
  return file
}

type Row = [number | undefined, string, Tampering['check'], Tampering['code'], Tampering['tamper']]

const rows: readonly Row[] = [
  [
    24,
    'an index that is the size',
    'proof',
    'index_outside_tree',
    ({ proof }) => {
      proof.index = Number(proof.index) + 5
    },
  ],
  [
    24,
    'an index with a leading zero',
    'proof',
    'checkpoint_size',
    ({ proof }) => {
      proof.index = `0${proof.index}`
    },
  ],
  [25, 'a proof without its last hash', 'proof', 'proof_length', ({ proof }) => void proof.hashes.pop()],
  [25, 'a proof without hashes', 'proof', 'proof_length', ({ proof }) => void proof.hashes.splice(0)],
  [25, 'a proof with one hash more', 'proof', 'proof_length', ({ proof }) => void proof.hashes.push(testSalt(0))],
  [
    25,
    'a proof with 64 hashes',
    'proof',
    'proof_length',
    ({ proof }) => void proof.hashes.push(...Array(64).fill(testSalt(0))),
  ],
  [
    undefined,
    'the proof of the entry before',
    'proof',
    'inclusion_wrong',
    (genuine) => {
      const { proof, log } = genuine
      proof.index = Number(proof.index) - 1
      proof.hashes = log.inclusionProof(proof.index, proof.index + 6)
    },
  ],
  [
    undefined,
    'another index with the same hashes',
    'proof',
    'inclusion_wrong',
    ({ proof }) => {
      proof.index = Number(proof.index) ^ 1
    },
  ],
  [undefined, 'two hashes in another order', 'proof', 'inclusion_wrong', ({ proof }) => void proof.hashes.reverse()],
  [
    33,
    'a salt of 31 bytes',
    'proof',
    'salt_length',
    ({ proof }) => {
      proof.salt = Buffer.alloc(31)
    },
  ],
  [
    33,
    'no salt',
    'proof',
    'salt_length',
    (genuine) => {
      delete genuine.proof.salt
    },
  ],
  [
    33,
    'another salt',
    'proof',
    'inclusion_wrong',
    ({ proof }) => {
      proof.salt = testSalt(2)
    },
  ],
  [
    26,
    'two trees of the same size',
    'continuity',
    'same_size_other_root',
    (genuine) => {
      genuine.lastVisit = forked(genuine, genuine.log.size - 1).checkpoint()
    },
  ],
  [
    27,
    'a log that is smaller than at the last visit',
    'continuity',
    'smaller_size',
    (genuine) => {
      const { log } = genuine
      const more = forked(genuine, -1)
      more.append('{}')
      genuine.lastVisit = more.checkpoint(log.size + 1)
    },
  ],
  [
    27,
    'a log that is smaller than in the proof',
    'continuity',
    'smaller_size',
    (genuine) => {
      const { log, file } = genuine
      genuine.file = (path) => (path === 'checkpoint' ? Buffer.from(log.checkpoint(10)) : file(path))
    },
  ],
  [
    28,
    'a replaced entry from before the proof',
    'continuity',
    'not_a_continuation',
    (genuine) => {
      const fork = forked(genuine, 0)
      genuine.file = (path) => fork.file(path)
    },
  ],
  [
    28,
    'a replaced entry from before the last visit',
    'continuity',
    'not_a_continuation',
    (genuine) => {
      const fork = forked(genuine, Math.floor(genuine.log.size / 2) - 1)
      genuine.file = (path) => fork.file(path)
    },
  ],
  [
    28,
    'an entry that was removed and the later ones moved up',
    'continuity',
    'not_a_continuation',
    (genuine) => {
      const fork = new TestLog(logSigner)
      for (const entry of genuine.log.entries.slice(1)) fork.append(entry)
      genuine.file = (path) => fork.file(path)
    },
  ],
  [
    28,
    'a checkpoint with a root of other tiles',
    'continuity',
    'not_a_continuation',
    (genuine) => {
      const { log, file } = genuine
      const text = log.checkpointText(log.size, testSalt(7))
      genuine.file = (path) =>
        path === 'checkpoint' ? Buffer.from(`${text}\n${logSigner.signatureLine(text)}`) : file(path)
    },
  ],
  [28, 'a changed hash in a tile', 'continuity', 'not_a_continuation', serve(/^tile\/0\//, flip(3))],
  [28, 'a changed hash in a tile above', 'continuity', 'not_a_continuation', serve(/^tile\/1\//, flip(3))],
  [
    29,
    'a tile without its last byte',
    'continuity',
    'tile_length',
    serve(/^tile\/0\//, (file) => file.subarray(0, -1)),
  ],
  [
    29,
    'a tile with one hash more',
    'continuity',
    'tile_length',
    serve(/^tile\/0\/.*\.p\//, (file) => Buffer.concat([file, testSalt(0)])),
  ],
  [
    29,
    'a full tile with one byte more',
    'continuity',
    'response_too_large',
    serve(/^tile\/0\/[^.]*$/, (file) => Buffer.concat([file, Buffer.of(0)])),
  ],
  [29, 'an empty tile', 'continuity', 'tile_length', serve(/^tile\/0\//, () => Buffer.alloc(0))],
  [undefined, 'a tile that is missing', 'continuity', 'tile_missing', serve(/^tile\/1\//, () => undefined)],
  [undefined, 'a checkpoint that is missing', 'continuity', 'tile_missing', serve(/^checkpoint/, () => undefined)],
  [
    15,
    'a current checkpoint with a wrong signature',
    'continuity',
    'note_signature_wrong',
    (genuine) => {
      const { log, file } = genuine
      const other = log.checkpointText(log.size, testSalt(7))
      const note = `${log.checkpointText()}\n${logSigner.signatureLine(other)}`
      genuine.file = (path) => (path === 'checkpoint' ? Buffer.from(note) : file(path))
    },
  ],
  [
    15,
    'a remembered checkpoint that the log did not sign',
    'continuity',
    'note_signature_wrong',
    (genuine) => {
      const text = genuine.log.checkpointText(5, testSalt(7))
      genuine.lastVisit = `${text}\n${logSigner.signatureLine(genuine.log.checkpointText(5))}`
    },
  ],
]

export const tamperingWithLogs: readonly Tampering[] = rows.map(([refusal, name, check, code, tamper]) => ({
  ...(refusal !== undefined && { refusal }),
  name,
  check,
  code,
  tamper,
}))
