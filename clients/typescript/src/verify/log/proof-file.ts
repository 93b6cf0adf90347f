import { type Bytes, fromBase64, textOf, utf8 } from '../bytes.ts'
import { Refusal } from '../refusal.ts'
import { parseSize } from './checkpoint.ts'

/** A portable proof: where an entry is in a log, and the checkpoint that covers it. */
export type ProofFile = {
  readonly extra: Bytes | undefined
  readonly index: bigint
  /** From the leaf to the root. */
  readonly hashes: readonly Bytes[]
  /** A signed note. */
  readonly checkpoint: Bytes
}

const heading = 'c2sp.org/tlog-proof@v1'
const maxProofBytes = 131_072
const maxHashes = 63
const newline = 10

/** Parses a proof in the form of C2SP tlog-proof. Verifies nothing. */
export function parseProofFile(source: string | Bytes): ProofFile {
  const bytes = typeof source === 'string' ? utf8(source) : source
  if (bytes.length > maxProofBytes) throw new Refusal('proof_malformed')
  const end = bytes.findIndex((byte, at) => byte === newline && bytes[at + 1] === newline)
  const head = textOf(end < 0 ? bytes : bytes.subarray(0, end))
  if (head === undefined) throw new Refusal('proof_malformed')
  const [first, ...lines] = head.split('\n')
  if (first !== heading) throw new Refusal('proof_malformed', `Its first line is not \`${heading}\`.`)
  if (end < 0) throw new Refusal('proof_malformed', 'It has no blank line.')
  const extra = lines[0]?.startsWith('extra ') ? lines.shift()?.slice('extra '.length) : undefined
  const index = lines.shift()
  if (!index?.startsWith('index ')) throw new Refusal('proof_malformed', 'The line with the index is missing.')
  if (lines.length > maxHashes) throw new Refusal('proof_length', 'It is too long.')
  return {
    extra: extra === undefined ? undefined : fromBase64(extra),
    index: parseSize(index.slice('index '.length)),
    hashes: lines.map(parseHash),
    checkpoint: bytes.slice(end + 2),
  }
}

function parseHash(line: string): Bytes {
  const hash = fromBase64(line)
  if (hash.length !== 32) throw new Refusal('proof_malformed', 'A hash is not 32 bytes.')
  return hash
}
