import { checkpoint, type HostileInput, input, log, post, proof, text } from './hostile-input.ts'

/** What stands for the text of the post, and what is wrong with it first. */
const badJson: [string, string, HostileInput['code']][] = [
  ['half of a surrogate pair, then a name twice', '"\\ud800","text":"b"', 'json_lone_surrogate'],
  ['a name twice, then half of a surrogate pair', '"a","text":"\\ud800"', 'json_duplicate_name'],
  ['a name twice, then no JSON', '"a","text":"b",x', 'json_duplicate_name'],
  ['a name twice, with another script', '"a","é😀\\u0000":1,"é😀\\u0000":2', 'json_duplicate_name'],
  ['a number that changes, then a name twice', '1e400,"text":1', 'json_number_changed'],
  ['half of a surrogate pair, then too many levels', `"\\udc00","n":${'['.repeat(70)}`, 'json_lone_surrogate'],
  ['too many levels, then no JSON', `${'['.repeat(70)}x`, 'json_too_deep'],
  ['too many levels without an end', '['.repeat(5_000), 'json_too_deep'],
  ['NaN', 'NaN', 'json_malformed'],
  ['Infinity', '-Infinity', 'json_malformed'],
  ['no JSON after another script', '"渡し船 🚢 \u{1d306}" x', 'json_malformed'],
  ['a control character in a string', '"a\u0001b"', 'json_malformed'],
  ['an escape that does not exist', '"a\\x62"', 'json_malformed'],
  ['an escape of three digits', '"🚢\\u12g4"', 'json_malformed'],
  ['an escape with a sign', '"\\u+123"', 'json_malformed'],
  ['a number with a zero before it', '01', 'json_malformed'],
  ['a number without a fraction', '1.', 'json_malformed'],
  ['a number without digits', '-', 'json_malformed'],
  ['a number in other digits', '１', 'json_malformed'],
  ['half of a word', 'tru', 'json_malformed'],
  ['two words', 'nullnull', 'json_malformed'],
  ['a list that ends with a comma', '[1,]', 'json_malformed'],
  ['an object that ends with a comma', '{"a":1,}', 'json_malformed'],
  ['a name without quotation marks', '{a:1}', 'json_malformed'],
  ['a no-break space', '\u00a01', 'json_malformed'],
]
const end = `${text(post.signature?.value)}}}`
const inPost = (about: string, from: string, to: string, code: HostileInput['code']) =>
  input(about, 'post.json', from, to, 'json', code)
const inProof = (about: string, from: string, to: string, code: HostileInput['code']) =>
  input(about, 'post.tlog-proof', from, to, 'proof', code)
const head = 'c2sp.org/tlog-proof@v1'

/** What two parsers could refuse for different reasons. */
export const malformed: readonly HostileInput[] = [
  ...badJson.map(([about, to, code]) => inPost(`JSON with ${about}`, '"Post 1"', to, code)),
  inPost('a byte order mark', '{', '\ufeff{', 'json_malformed'),
  inPost('JSON that ends in a string', end, '"é', 'json_malformed'),
  inPost('JSON that ends in an escape', end, '"é\\', 'json_malformed'),
  inPost('JSON that ends too early', end, '', 'json_malformed'),
  inPost('more after the JSON', end, `${end} 🚢`, 'json_malformed'),
  { ...inPost('a post that is not UTF-8', '"Post 1"', '', 'json_malformed'), to_hex: '22ff22' },
  { ...inPost('a post with an encoded surrogate', '"Post 1"', '', 'json_malformed'), to_hex: '22eda08022' },
  inProof('a proof without a blank line', proof.slice(proof.indexOf('\n\n')), '\n', 'proof_malformed'),
  inProof('a proof without its blank line', '\n\n', '\n', 'base64_not_canonical'),
  inProof('a proof with one line', proof.slice(head.length), '', 'proof_malformed'),
  inProof('an empty proof', proof, '', 'proof_malformed'),
  inProof('a proof of another version', head, 'c2sp.org/tlog-proof@v2', 'proof_malformed'),
  inProof('a web page in place of a proof', head, '<html>é', 'proof_malformed'),
  inProof('a proof without an index', 'index 0\n', '', 'proof_malformed'),
  { ...inProof('a proof that is not UTF-8', 'index', '', 'proof_malformed'), to_hex: 'ff' },
  { ...inProof('a note that is not UTF-8', `— ${log.origin}`, '', 'note_not_text'), to_hex: 'ff' },
  inProof('a proof that is too long', head, `${head}${' '.repeat(140_000)}`, 'proof_malformed'),
  // In UTF-16 it is shorter than in UTF-8.
  inProof('a proof that is too long in bytes', head, `${head}${'é'.repeat(70_000)}`, 'proof_malformed'),
  {
    ...input('a checkpoint that is not UTF-8', 'checkpoint', '—', '', 'continuity', 'note_not_text'),
    to_hex: 'ff',
  },
  input('an empty checkpoint', 'checkpoint', checkpoint, '', 'continuity', 'note_malformed'),
]
