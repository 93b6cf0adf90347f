/** Why something is refused. The codes are stable. */
const meanings = {
  json_malformed: 'This is not JSON.',
  json_too_deep: 'The JSON is nested too deeply.',
  json_duplicate_name: 'A name occurs twice in one JSON object, so two readers could see two different posts.',
  json_lone_surrogate: 'A JSON string has half of a surrogate pair.',
  json_number_changed: 'A JSON number has more digits than a program can keep.',
  json_not_serializable: 'A value has no JSON form.',
  post_malformed: 'A field of the post is missing or has another type.',
  post_at_other_address: 'The post says that it belongs to another address.',
  unsigned: 'The post has no signature.',
  signature_malformed: 'The signature does not have the form of an Ed25519 signature.',
  signature_wrong: 'The signature does not match. The content differs from what was signed.',
  time_in_future: 'A time in the post is in the future.',
  base64_not_canonical: 'This is not base64 in its canonical form.',
  keys_malformed: 'The document of published keys does not have the expected form.',
  key_malformed: 'The key is not an Ed25519 public key.',
  key_small_order: 'The key is of small order: signatures by it prove nothing.',
  key_unknown: 'The key that signed is not published.',
  key_other_purpose: 'The key is published for another purpose.',
  key_thumbprint: 'The identifier of the key is not the thumbprint of the key.',
  key_not_valid_then: 'The key was not valid when the signature was made.',
  note_too_large: 'The signed note is too large.',
  note_not_text: 'The signed note is not UTF-8 text, or has control characters.',
  note_malformed: 'The signed note lacks a blank line or a final newline.',
  note_signature_line: 'A line of the signed note is not a signature line.',
  note_key_name: 'The name of a key is not printable ASCII without spaces and plus signs.',
  note_signature_length: 'A signature in the note has the wrong length.',
  note_signature_wrong: 'A signature of a known key does not match the note.',
  note_unsigned: 'The note is not signed with the log’s key.',
  vkey_malformed: 'The verifier key does not have the expected form.',
  vkey_id: 'The identifier in the verifier key does not belong to the key.',
  vkey_type: 'The verifier key is not of the type for logs.',
  checkpoint_malformed: 'The checkpoint does not have exactly three lines: origin, size and root.',
  checkpoint_size: 'A size or an index is not a whole number below 2^63 in its shortest form.',
  checkpoint_root: 'The root of the checkpoint is not 32 bytes.',
  foreign_origin: 'The checkpoint belongs to a different log.',
  closed_log_larger: 'The log was closed, and this checkpoint is larger than its last one.',
  closed_log_differs: 'The log was closed, and this checkpoint has another root than its last one.',
  log_key_changed: 'The log’s key differs from the one of your last visit.',
  proof_missing: 'The log has no proof for this post.',
  proof_malformed: 'The proof file does not have the expected form.',
  index_outside_tree: 'The index is not below the size of the tree.',
  proof_length: 'The proof is too short or too long.',
  inclusion_wrong: 'The proof does not lead to the root of the checkpoint, so the entry is not in the log.',
  salt_length: 'The salt is not 32 bytes.',
  same_size_other_root: 'The log showed two different trees of the same size.',
  smaller_size: 'The log is smaller than it was before.',
  not_a_continuation: 'The log does not contain what it contained before: entries were changed or removed.',
  log_missing: 'A log that this site had at an earlier visit is missing from its list of logs.',
  tile_path: 'The path of a tile is not in its only valid form.',
  tile_length: 'A tile has the wrong length.',
  tile_missing: 'The log does not serve a tile that its checkpoint covers.',
  bundle_malformed: 'A bundle of entries is truncated, or has more or fewer entries than it should.',
  entry_not_in_tile: 'An entry does not match its hash in the tile.',
  response_too_large: 'The response is too large.',
  unavailable: 'A source could not be read.',
} as const

export type RefusalCode = keyof typeof meanings

/** Something does not verify. `code` is stable; the message says what is wrong. */
export class Refusal extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, detail?: string) {
    super(detail ? `${meanings[code]} ${detail}` : meanings[code])
    this.name = 'Refusal'
    this.code = code
  }
}
