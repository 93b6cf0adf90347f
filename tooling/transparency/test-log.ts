import { type NoteSigner, sha256 } from './test-keys.ts'

const node = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right)
const isPowerOfTwo = (size: number) => Number.isInteger(Math.log2(size))
const splitOf = (size: number) => 2 ** Math.floor(Math.log2(size - 1))

/** A transparency log in memory, for tests of verifiers. It shares no code with the service or the verifiers. */
export class TestLog {
  readonly origin: string
  readonly entries: Buffer[] = []
  readonly signer: NoteSigner
  /** The hashes of complete subtrees, by height. */
  readonly #levels: Buffer[][] = [[]]

  constructor(signer: NoteSigner) {
    this.signer = signer
    this.origin = signer.name
  }

  get size(): number {
    return this.entries.length
  }

  get vkey(): string {
    return this.signer.vkey
  }

  /** Returns the index of the entry. */
  append(entry: string | Buffer): number {
    this.entries.push(Buffer.from(entry))
    this.#push(0, sha256(Buffer.of(0), Buffer.from(entry)))
    return this.size - 1
  }

  #push(height: number, hash: Buffer) {
    this.#levels[height] ??= []
    const level = this.#levels[height]
    level.push(hash)
    const [left, right] = level.slice(-2)
    if (level.length % 2 === 0 && left && right) this.#push(height + 1, node(left, right))
  }

  copy(): TestLog {
    const copy = new TestLog(this.signer)
    for (const entry of this.entries) copy.append(entry)
    return copy
  }

  leaf(index: number): Buffer {
    return this.range(index, 1)
  }

  root(size = this.size): Buffer {
    return size === 0 ? sha256('') : this.range(0, size)
  }

  /** The hash over some entries; both numbers as they occur in the tree. */
  range(start: number, size: number): Buffer {
    if (isPowerOfTwo(size)) {
      const hash = this.#levels[Math.log2(size)]?.[start / size]
      if (!hash) throw new Error(`The log has no entries ${start} to ${start + size}.`)
      return hash
    }
    const split = splitOf(size)
    return node(this.range(start, split), this.range(start + split, size - split))
  }

  /** PATH of RFC 6962, 2.1.1. */
  inclusionProof(index: number, size = this.size): Buffer[] {
    const path = (at: number, start: number, length: number): Buffer[] => {
      if (length === 1) return []
      const split = splitOf(length)
      return at < split
        ? [...path(at, start, split), this.range(start + split, length - split)]
        : [...path(at - split, start + split, length - split), this.range(start, split)]
    }
    return path(index, 0, size)
  }

  /** PROOF of RFC 6962, 2.1.2. */
  consistencyProof(older: number, size = this.size): Buffer[] {
    const subproof = (old: number, start: number, length: number, isWhole: boolean): Buffer[] => {
      if (old === length) return isWhole ? [] : [this.range(start, length)]
      const split = splitOf(length)
      return old <= split
        ? [...subproof(old, start, split, isWhole), this.range(start + split, length - split)]
        : [...subproof(old - split, start + split, length - split, false), this.range(start, split)]
    }
    return older === 0 ? [] : subproof(older, 0, size, true)
  }

  checkpointText(size = this.size, root = this.root(size)): string {
    return `${this.origin}\n${size}\n${root.toString('base64')}\n`
  }

  /** A signed checkpoint. */
  checkpoint(size = this.size): string {
    const text = this.checkpointText(size)
    return `${text}\n${this.signer.signatureLine(text)}`
  }

  /** A file of the log, as its address would return it; undefined if the log of this size does not have it. */
  file(path: string, size = this.size): Buffer | undefined {
    if (path === 'checkpoint') return Buffer.from(this.checkpoint(size))
    const [, level = '', name = '', partial] = /^tile\/(\d+|entries)\/([x\d/]+)(?:\.p\/(\d+))?$/.exec(path) ?? []
    const index = Number(name.replaceAll(/[x/]/g, ''))
    const width = partial ? Number(partial) : 256
    const height = level === 'entries' ? 0 : Number(level) * 8
    const first = index * 256
    if (!name || first + width > Math.floor(size / 2 ** height)) return undefined
    if (level === 'entries') return bundleOf(this.entries.slice(first, first + width))
    return Buffer.concat(this.#levels[height]?.slice(first, first + width) ?? [])
  }

  /** The paths of all files that the log of this size has, with the partial tiles of this size only. */
  paths(size = this.size): string[] {
    const paths = ['checkpoint']
    for (let height = 0; size >> height > 0; height += 8) {
      const levelSize = Math.floor(size / 2 ** height)
      for (let index = 0; index * 256 < levelSize; index++) {
        const width = Math.min(256, levelSize - index * 256)
        const name = `${nameOf(index)}${width < 256 ? `.p/${width}` : ''}`
        paths.push(`tile/${height / 8}/${name}`)
        if (height === 0) paths.push(`tile/entries/${name}`)
      }
    }
    return paths
  }
}

const nameOf = (index: number): string =>
  index < 1_000
    ? String(index).padStart(3, '0')
    : `x${nameOf(Math.floor(index / 1_000)).replaceAll('/', '/x')}/${nameOf(index % 1_000)}`.replaceAll('xx', 'x')

export function bundleOf(entries: readonly Buffer[]): Buffer {
  const parts = entries.flatMap((entry) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(entry.length)
    return [length, entry]
  })
  return Buffer.concat(parts)
}

/** A proof in the form of C2SP tlog-proof. */
export const proofFile = ({ salt, index, hashes, checkpoint }: ProofParts): string =>
  [
    'c2sp.org/tlog-proof@v1\n',
    salt ? `extra ${salt.toString('base64')}\n` : '',
    `index ${index}\n`,
    ...hashes.map((hash) => `${hash.toString('base64')}\n`),
    '\n',
    checkpoint,
  ].join('')

export type ProofParts = { salt?: Buffer; index: number | string; hashes: readonly Buffer[]; checkpoint: string }
