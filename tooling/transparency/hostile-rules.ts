import { checkpoint, type HostileInput, inKeys, input, post, text, tree } from './hostile-input.ts'
import { noteSigner, testKey } from './test-keys.ts'
import { TestLog } from './test-log.ts'
import { cosignedAt, logSigner, testKeys, witness } from './test-posts.ts'

const fork = new TestLog(logSigner)
for (const [index, entry] of tree.entries.entries()) fork.append(index === 1 ? '{}' : entry)
const larger = tree.copy()
larger.append('{}')
const small = new TestLog(logSigner)
small.append('{}')
const swapped = new TestLog(noteSigner(logSigner.name, testKeys.forger, 1))
for (const entry of tree.entries) swapped.append(entry)

const closedWith = (last: unknown) => `"state":"closed","last_checkpoint":${text(last)}`
const closed = (about: string, last: unknown, code: string | null, check: string | null = 'proof') =>
  inKeys(`a log that was closed with ${about}`, '"state":"open"', closedWith(last), code, check)

/** The time of the signature, or of the publication, is replaced. */
const dated = (name: string, time: string | null, check: string, code: string) =>
  input(
    `${name} ${text(time)}`,
    'post.json',
    `"${name}":${text(post.published_at)}`,
    `"${name}":${text(time)}`,
    check,
    code,
  )

const newer = noteSigner('witness.example/w2', testKey(7), 4)
const otherLog = noteSigner('other.example/log', testKeys.log, 1)
const cosigned = (about: string, served: string, check: string | null, code: string | null) => ({
  ...input(
    `a required witness of which the current checkpoint has ${about}`,
    'checkpoint',
    checkpoint,
    served,
    check,
    code,
  ),
  witnesses: [newer.vkey, witness.vkey],
})
const textOfCheckpoint = tree.checkpointText()
const textOfOther = textOfCheckpoint.replace(logSigner.name, otherLog.name)

/** What a reader has seen, requires, or knows about the log. */
export const ruled: readonly HostileInput[] = [
  dated('created_at', '2026-11-18T00:05:00.001Z', 'form', 'time_in_future'),
  dated('created_at', '2026-11-18T00:05:00.000Z', 'proof', 'cosignature_time'),
  dated('published_at', '2026-11-18T00:05:00.001Z', 'form', 'time_in_future'),
  dated('published_at', '9999-12-31T23:59:59.999999999Z', 'form', 'time_in_future'),
  dated('published_at', '2026-11-18T00:05:00.000Z', 'signature', 'signature_wrong'),
  dated('published_at', '2026-11-18', 'form', 'post_malformed'),
  dated('published_at', null, 'form', 'post_malformed'),
  closed('its current checkpoint', checkpoint, null, null),
  closed('an older checkpoint', tree.checkpoint(200), 'closed_log_larger', 'continuity'),
  closed('another tree of the same size', fork.checkpoint(), 'closed_log_differs', 'continuity'),
  closed('a larger checkpoint', larger.checkpoint(), 'smaller_size', 'continuity'),
  closed('no entries', new TestLog(logSigner).checkpoint(), 'closed_log_larger'),
  closed('another first entry', small.checkpoint(), 'closed_log_differs'),
  closed('no checkpoint', null, 'closed_log_larger'),
  closed('a checkpoint by another key', swapped.checkpoint(), 'note_unsigned'),
  closed('a checkpoint of another log', new TestLog(otherLog).checkpoint(), 'foreign_origin'),
  closed('what is no checkpoint', 'none', 'note_malformed'),
  closed('a number', 300, 'keys_malformed', 'key'),
  inKeys('a log that was closed without a checkpoint', '"state":"open"', '"state":"closed"', 'keys_malformed'),
  inKeys('a log in an unknown state', '"state":"open"', '"state":"frozen"', 'keys_malformed'),
  inKeys('a log without a state', ',"state":"open"', '', null),
  {
    ...input('a log whose key was replaced since the last visit', 'post.json', '', '', 'continuity', 'log_key_changed'),
    last_visit: swapped.checkpoint(10),
  },
  {
    ...input('another tree at the last visit', 'post.json', '', '', 'continuity', 'not_a_continuation'),
    last_visit: fork.checkpoint(10),
  },
  cosigned('a cosignature', tree.checkpoint(300, [{ witness: newer, at: cosignedAt }]), null, null),
  cosigned('none', checkpoint, 'proof', 'witness_missing'),
  cosigned(
    'a cosignature of another checkpoint',
    checkpoint + newer.cosignatureLine(tree.checkpointText(299), cosignedAt),
    ...(['proof', 'note_signature_wrong'] as const),
  ),
  cosigned(
    'a cosignature of another log',
    checkpoint + newer.cosignatureLine(textOfOther, cosignedAt),
    ...(['proof', 'note_signature_wrong'] as const),
  ),
  cosigned(
    'a cosignature by another witness of the same name',
    checkpoint + noteSigner(newer.name, testKeys.forger, 4).cosignatureLine(textOfCheckpoint, cosignedAt),
    ...(['proof', 'witness_missing'] as const),
  ),
  cosigned(
    'a cosignature of a fork',
    fork.checkpoint(300, [{ witness: newer, at: cosignedAt }]),
    ...(['proof', 'not_a_continuation'] as const),
  ),
  cosigned(
    'a cosignature from before the post',
    tree.checkpoint(300, [{ witness: newer, at: Date.UTC(2026, 10, 15) / 1_000 }]),
    ...(['proof', 'cosignature_time'] as const),
  ),
  cosigned(
    'a cosignature and is smaller than in the proof',
    new TestLog(logSigner).checkpoint(0, [{ witness: newer, at: cosignedAt }]),
    ...(['proof', 'smaller_size'] as const),
  ),
]
