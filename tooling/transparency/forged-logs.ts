import { badKeys, type Forgery, forgery, harmless, replaced, shown, text } from './forgery.ts'
import type { Genuine, Served } from './genuine-posts.ts'
import { noteSigner, sha256, testKey } from './test-keys.ts'
import { proofFile, TestLog } from './test-log.ts'
import { testKeys, testSalt } from './test-posts.ts'

const head = 'c2sp.org/tlog-proof@v1'

/** Proofs of another form, and proofs of something else. */
export function forgedProofs({ proof, log, index, salt, covering }: Genuine): Forgery[] {
  const checkpoint = log.checkpoint(covering)
  const hashes = log.inclusionProof(index, covering)
  const inProof = (about: string, from: string, to: string | Buffer, code = 'proof_malformed') =>
    forgery(about, 'proof', code, { proof: replaced(proof, from, to) })
  const withParts = (about: string, code: string, more: Partial<Parameters<typeof proofFile>[0]>) =>
    forgery(about, 'proof', code, { proof: Buffer.from(proofFile({ salt, index, hashes, checkpoint, ...more })) })
  const whole = String(proof)
  return [
    inProof('a proof without a blank line', whole.slice(whole.indexOf('\n\n')), `\n${log.checkpointText(covering)}`),
    inProof('a proof with one line', whole.slice(head.length), ''),
    inProof('an empty proof', whole, ''),
    inProof('a proof of another version', head, 'c2sp.org/tlog-proof@v2'),
    inProof('a web page in place of a proof', head, '<html>é'),
    inProof('a proof without an index', `index ${index}\n`, ''),
    inProof('a proof that is not UTF-8', 'index', Buffer.of(0xff)),
    inProof('a proof that is too long', head, `${head}${' '.repeat(140_000)}`),
    // In UTF-16 it is shorter than in UTF-8.
    inProof('a proof that is too long in bytes', head, `${head}${'é'.repeat(70_000)}`),
    withParts('an index that is the size', 'index_outside_tree', { index: covering }),
    withParts('an index with a leading zero', 'checkpoint_size', { index: `0${index}` }),
    withParts('another index with the same hashes', 'inclusion_wrong', { index: index ^ 1 }),
    withParts('the proof of the entry before', 'inclusion_wrong', {
      index: index - 1,
      hashes: log.inclusionProof(index - 1, covering),
    }),
    withParts('a proof without its last hash', 'proof_length', { hashes: hashes.slice(0, -1) }),
    withParts('a proof without hashes', 'proof_length', { hashes: [] }),
    withParts('a proof with one hash more', 'proof_length', { hashes: [...hashes, salt] }),
    withParts('a proof with 64 hashes more', 'proof_length', { hashes: [...hashes, ...Array(64).fill(salt)] }),
    withParts('hashes in another order', 'inclusion_wrong', { hashes: hashes.toReversed() }),
    withParts('a salt of 31 bytes', 'salt_length', { salt: Buffer.alloc(31) }),
    inProof('no salt', `extra ${salt.toString('base64')}\n`, '', 'salt_length'),
    withParts('another salt', 'inclusion_wrong', { salt: testSalt(50) }),
    withParts('a checkpoint by another key', 'note_unsigned', { checkpoint: swapped(log).checkpoint(covering) }),
    withParts('a checkpoint of another log', 'foreign_origin', {
      checkpoint: copied(log, { signer: elsewhere }).checkpoint(covering),
    }),
  ]
}

/** Checkpoints that are no signed notes of three lines. */
export function forgedNotes({ proof, log, covering }: Genuine): Forgery[] {
  const { name, signatureLine } = log.signer
  const note = log.checkpoint(covering)
  const signed = log.checkpointText(covering)
  const [origin = '', size = '', root = ''] = signed.split('\n')
  const withNote = (about: string, code: string, to: string) =>
    forgery(about, 'proof', code, { proof: replaced(proof, note, to) })
  const withText = (about: string, code: string, ...lines: string[]) => {
    const other = `${lines.join('\n')}\n`
    return withNote(about, code, `${other}\n${signatureLine(other)}`)
  }
  const withBlob = (about: string, code: string, change: (blob: Buffer) => Buffer) =>
    withNote(
      about,
      code,
      note.replace(/(?<=^— \S+ )\S+$/m, (blob) => change(Buffer.from(blob, 'base64')).toString('base64')),
    )
  const unknown = (bytes: number) => `— x ${Buffer.alloc(bytes).toString('base64')}\n`
  return [
    withNote('a note without signatures', 'note_malformed', `${signed}\n`),
    withNote('a note without a final newline', 'note_malformed', note.slice(0, -1)),
    withNote('a carriage return in a note', 'note_not_text', note.replace('\n', '\r\n')),
    withNote('a null character in a note', 'note_not_text', note.replace('\n', '\0\n')),
    forgery('a note that is not UTF-8', 'proof', 'note_not_text', { proof: replaced(proof, '—', Buffer.of(0xff)) }),
    withNote('a hyphen before a signature', 'note_signature_line', note.replace('— ', '- ')),
    withNote('an en dash before a signature', 'note_signature_line', note.replace('— ', '– ')),
    ...['', `${name} x`, `${name}+x`, ...badNames].map((other) =>
      withNote(`a signature by ${text(other)}`, 'note_key_name', note.replace(`— ${name} `, `— ${other} `)),
    ),
    withNote('base64 without padding in a note', 'base64_not_canonical', note.replace(/=\n$/, '\n')),
    withBlob('a signature of 67 bytes', 'note_signature_length', (blob) => blob.subarray(0, -1)),
    withBlob('a signature of 69 bytes', 'note_signature_length', (blob) => Buffer.concat([blob, Buffer.of(0)])),
    withBlob('a wrong signature of the log', 'note_signature_wrong', flip(10)),
    withBlob('a signature with S that is too large', 'signature_malformed', (blob) => {
      blob[67] = 0xff
      return blob
    }),
    withNote('a wrong signature after a right one', 'note_signature_wrong', `${note}${signatureLine('other\n')}`),
    ...[`0${size}`, `+${size}`, String(2n ** 63n), ''].map((other) =>
      withText(`the size ${text(other)}`, 'checkpoint_size', origin, other, root),
    ),
    withText('a root of 31 bytes', 'checkpoint_root', origin, size, Buffer.alloc(31).toString('base64')),
    withText('a fourth line in the checkpoint', 'checkpoint_malformed', origin, size, root, 'more'),
    withNote('an oversized note', 'note_too_large', `${note}${unknown(60_000)}`),
    withNote('a note with 65 signatures', 'note_too_large', `${note}${unknown(68).repeat(64)}`),
    harmless('a note with 16 signatures', { proof: replaced(proof, note, `${note}${unknown(2_424).repeat(15)}`) }),
  ]
}

/** Logs in the document of published keys. */
export function forgedLogLists({ keys, log, covering }: Genuine): Forgery[] {
  const document = JSON.parse(String(keys))
  const [{ url, vkey }] = document.logs
  const inKeys = (about: string, code: string | null, from: string, to: string, check = 'key') =>
    forgery(about, code && check, code, { keys: replaced(keys, from, to) })
  const listed = (name: string, list = document[name]) => text({ [name]: list }).slice(1, -1)
  const withVkey = (about: string, code: string, other: string) => inKeys(about, code, text(vkey), text(other), 'proof')
  const closed = (about: string, last: unknown, code: string | null, check = 'proof') =>
    inKeys(`a log that was closed with ${about}`, code, open, `"state":"closed","last_checkpoint":${text(last)}`, check)
  return [
    ...['keys', 'logs'].flatMap((name) => [
      inKeys(`${name} that are null`, 'keys_malformed', listed(name), `"${name}":null`),
      inKeys(`65 ${name}`, 'keys_malformed', listed(name), listed(name, Array(65).fill(document[name][0]))),
      inKeys(`64 ${name}`, null, listed(name), listed(name, Array(64).fill(document[name][0]))),
    ]),
    inKeys('no list of logs', 'foreign_origin', `,${listed('logs')}`, '', 'proof'),
    ...badLogs(log.origin).map(([origin, at]) =>
      inKeys(
        `a log ${shown(origin)} at ${shown(at)}`,
        'keys_malformed',
        `${text(log.origin)},"url":${text(url)}`,
        `${text(origin)},"url":${text(at)}`,
      ),
    ),
    ...badKeys.map(({ about, point, code }) =>
      withVkey(
        `a log key of ${about}`,
        code,
        noteSigner(log.origin, { ...testKey(9), publicKey: Buffer.from(point) }, 1).vkey,
      ),
    ),
    withVkey('a log key with another identifier', 'vkey_id', vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')),
    withVkey('a log key of another type', 'vkey_type', vkeyOfType(9, log)),
    ...badNames.map((name) => withVkey(`a log key of ${text(name)}`, 'note_key_name', vkey.replace(log.origin, name))),
    withVkey('a line break in a log key', 'vkey_malformed', `${vkey}\n`),
    withVkey('a log key under another name', 'foreign_origin', elsewhere.vkey),
    closed('its current checkpoint', log.checkpoint(), null),
    closed('an older checkpoint', log.checkpoint(log.size - 1), 'closed_log_larger', 'continuity'),
    closed('another tree of the same size', forked(log, 0).checkpoint(), 'closed_log_differs', 'continuity'),
    closed('a larger checkpoint', longer(log).checkpoint(), 'smaller_size', 'continuity'),
    closed('no entries', log.checkpoint(0), 'closed_log_larger'),
    closed('another tree of the size in the proof', forked(log, 0).checkpoint(covering), 'closed_log_differs'),
    closed('no checkpoint', null, 'closed_log_larger'),
    closed('a checkpoint by another key', swapped(log).checkpoint(), 'note_unsigned'),
    closed('a checkpoint of another log', new TestLog(elsewhere).checkpoint(), 'foreign_origin'),
    closed('what is no checkpoint', 'none', 'note_malformed'),
    closed('a number', 300, 'keys_malformed', 'key'),
    inKeys('a log that was closed without a checkpoint', 'keys_malformed', open, '"state":"closed"'),
    inKeys('a log in an unknown state', 'keys_malformed', open, '"state":"frozen"'),
    inKeys('a log without a state', null, `,${open}`, ''),
  ]
}

const open = '"state":"open"'
const badNames = ['é', 'a\u00a0b', 'a\u200bb', 'a\u0085b', 'a\u3000']

const badLogs = (origin: string): [string, string][] => [
  [origin, 'https://elsewhere.example/log/'],
  [origin, 'https://posts.example/log'],
  [origin, 'https://posts.example/log//'],
  [origin, 'https://posts.example/log/?/'],
  [origin, 'https://messages.posts.example@posts.example/log/'],
  [origin, 'ftp://posts.example/log/'],
  [origin, 'https://Posts.example/log/'],
  ['x@posts.example/log', 'https://x@posts.example/log/'],
  ['posts.example/../log', 'https://posts.example/../log/'],
  ['posts.example?/log', 'https://posts.example?/log/'],
  ['posts.example/l og', 'https://posts.example/l og/'],
  ['', 'https:///'],
  // Without TLS, anyone between the reader and the log could answer for it.
  [origin, 'http://posts.example/log/'],
  ['10.0.0.1/log', 'http://10.0.0.1/log/'],
  ['localhost.example/log', 'http://localhost.example/log/'],
  ['127.0.0.1.example/log', 'http://127.0.0.1.example/log/'],
]

/** Logs that changed what they showed before. */
export function forgedHistory({ log, file }: Genuine): Forgery[] {
  const refused = (about: string, code: string, changes: Partial<Served>) => forgery(about, 'continuity', code, changes)
  const served = (other: TestLog) => ({ file: (path: string) => other.file(path) })
  const currently = (note: string) => ({
    file: (path: string) => (path === 'checkpoint' ? Buffer.from(note) : file(path)),
  })
  /** Changes what the log serves at some paths. */
  const serving = (paths: RegExp, change: (found: Buffer) => Buffer | undefined) => ({
    file: (path: string) => {
      const found = file(path)
      return found && paths.test(path) ? change(Buffer.from(found)) : found
    },
  })
  const more = (bytes: Buffer) => (found: Buffer) => Buffer.concat([found, bytes])
  const other = log.checkpointText(log.size, testSalt(7))
  const { signatureLine } = log.signer
  return [
    refused('two trees of the same size', 'same_size_other_root', { lastVisit: forked(log, 599).checkpoint() }),
    refused('a log smaller than at the last visit', 'smaller_size', { lastVisit: longer(log).checkpoint() }),
    refused('a log smaller than in the proof', 'smaller_size', currently(log.checkpoint(10))),
    refused('a replaced entry from before the proof', 'not_a_continuation', served(forked(log, 0))),
    refused('a replaced entry from before the last visit', 'not_a_continuation', served(forked(log, 299))),
    refused('another tree at the last visit', 'not_a_continuation', { lastVisit: forked(log, 1).checkpoint(10) }),
    refused('a removed entry', 'not_a_continuation', served(copied(log, { entries: log.entries.slice(1) }))),
    refused('a root of other tiles', 'not_a_continuation', currently(`${other}\n${signatureLine(other)}`)),
    refused('a changed hash in a tile', 'not_a_continuation', serving(/^tile\/0\//, flip(3))),
    refused('a changed hash in a tile above', 'not_a_continuation', serving(/^tile\/1\//, flip(3))),
    refused(
      'a tile without its last byte',
      'tile_length',
      serving(/^tile\/0\//, (found) => found.subarray(0, -1)),
    ),
    refused('a tile with one hash more', 'tile_length', serving(/^tile\/0\/.*\.p\//, more(testSalt(0)))),
    refused('a full tile with one byte more', 'response_too_large', serving(/^tile\/0\/[^.]*$/, more(Buffer.of(0)))),
    refused(
      'an empty tile',
      'tile_length',
      serving(/^tile\/0\//, () => Buffer.alloc(0)),
    ),
    refused(
      'a tile that is missing',
      'tile_missing',
      serving(/^tile\/1\//, () => undefined),
    ),
    refused(
      'a checkpoint that is missing',
      'tile_missing',
      serving(/^checkpoint/, () => undefined),
    ),
    refused('an empty checkpoint', 'note_malformed', currently('')),
    refused('a checkpoint that is not UTF-8', 'note_not_text', {
      file: (path) =>
        path === 'checkpoint' ? replaced(Buffer.from(log.checkpoint()), '—', Buffer.of(0xff)) : file(path),
    }),
    refused(
      'a current checkpoint with a wrong signature',
      'note_signature_wrong',
      currently(`${log.checkpointText()}\n${signatureLine(other)}`),
    ),
    refused('a remembered checkpoint that the log did not sign', 'note_signature_wrong', {
      lastVisit: `${log.checkpointText(5, testSalt(7))}\n${signatureLine(log.checkpointText(5))}`,
    }),
    refused('a log whose key was replaced', 'log_key_changed', { lastVisit: swapped(log).checkpoint(10) }),
    refused('a log that has disappeared', 'log_missing', { seenLogs: [log.origin, 'posts.example/old-log'] }),
    harmless('the logs of the last visit', { seenLogs: [log.origin] }),
  ]
}

const flip = (at: number) => (bytes: Buffer) => {
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

const elsewhere = noteSigner('other.example/log', testKeys.log, 1)

function vkeyOfType(type: number, { origin, signer }: TestLog): string {
  const typed = Buffer.concat([Buffer.of(type), signer.key.publicKey])
  return `${origin}+${sha256(`${origin}\n`, typed).subarray(0, 4).toString('hex')}+${typed.toString('base64')}`
}

/** The log with other entries, or signed by another key. */
function copied(log: TestLog, { entries = log.entries, signer = log.signer }): TestLog {
  const copy = new TestLog(signer)
  for (const entry of entries) copy.append(entry)
  return copy
}

const swapped = (log: TestLog) => copied(log, { signer: noteSigner(log.origin, testKeys.forger, 1) })
const forked = (log: TestLog, at: number) => copied(log, { entries: log.entries.with(at, Buffer.from('{}')) })
const longer = (log: TestLog) => copied(log, { entries: [...log.entries, Buffer.from('{}')] })
