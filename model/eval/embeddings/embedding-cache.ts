import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { embeddingSize } from '../../server/local/encoder/embedding-size.ts'

const keyBytes = 32
const recordBytes = keyBytes + embeddingSize * 4

/** The folder that keeps vectors between runs. */
export const cacheDirectory = join(import.meta.dirname, '../../../.broadside/embeddings')

export const keyOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Rounded, because CPUs differ in the last digits, which must not affect training. */
const round = (value: number) => Math.round(value * 100_000) / 100_000

/** All vectors from earlier runs. Ignores a partial record that a killed process left. */
export function readCache(directory = cacheDirectory): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>()
  if (!existsSync(directory)) return vectors
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.bin'))) {
    const bytes = readFileSync(join(directory, file))
    for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
      const key = bytes.subarray(at, at + keyBytes).toString('hex')
      const start = bytes.byteOffset + at + keyBytes
      vectors.set(key, new Float32Array(bytes.buffer.slice(start, start + embeddingSize * 4)).map(round))
    }
  }
  return vectors
}

/** Appends vectors to the file of one process, in one write. */
export function appendToCache(file: string, vectors: readonly (readonly [string, Float32Array])[]): void {
  mkdirSync(cacheDirectory, { recursive: true })
  const records = vectors.flatMap(([key, vector]) => [
    Buffer.from(key, 'hex'),
    Buffer.from(Float32Array.from(vector).buffer),
  ])
  appendFileSync(join(cacheDirectory, file), Buffer.concat(records))
}
