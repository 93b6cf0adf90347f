import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readWeights } from '../../server/local/scoring/weights.ts'
import { about, makeWeights, temporary } from './small-weights.ts'
import { writeWeights } from './write-weights.ts'

test('written weights are read back unchanged, and writing twice gives the same bytes', async () => {
  using one = temporary()
  using other = temporary()
  const hashes = writeWeights(one.path, makeWeights(), about)
  assert.deepEqual(writeWeights(other.path, makeWeights(), about), hashes)
  const { weights, version } = await readWeights(one.path)
  assert.deepEqual(weights, makeWeights())
  assert.equal(version, hashes['manifest.json']?.slice(0, 12))
})

test('weights that do not match their manifest are rejected', async () => {
  using place = temporary()
  writeWeights(place.path, makeWeights(), about)
  appendFileSync(join(place.path, 'ngrams.bin'), 'x')
  await assert.rejects(readWeights(place.path), /ngrams\.bin does not match the manifest/)
})
