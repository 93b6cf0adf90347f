import { checkpoint, type HostileInput, inKeys, input, post, text, tree } from './hostile-input.ts'
import { noteSigner } from './test-keys.ts'
import { TestLog } from './test-log.ts'
import { logSigner, testKeys } from './test-posts.ts'

const fork = new TestLog(logSigner)
for (const [index, entry] of tree.entries.entries()) fork.append(index === 1 ? '{}' : entry)
const larger = tree.copy()
larger.append('{}')
const small = new TestLog(logSigner)
small.append('{}')
const swapped = new TestLog(noteSigner(logSigner.name, testKeys.forger))
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

const otherLog = noteSigner('other.example/log', testKeys.log)

/** What a reader has seen or knows about the log. */
export const ruled: readonly HostileInput[] = [
  dated('created_at', '2026-11-18T00:05:00.001Z', 'form', 'time_in_future'),
  dated('created_at', '2026-11-18T00:05:00.000Z', 'proof', 'inclusion_wrong'),
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
]
