import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../../tooling/services/state.ts'
import { compareWithModel } from './check.ts'
import { scaleDocument } from './document.ts'
import { predict } from './model.ts'

test('docs/scale.md is what the model calculates', () => {
  assert.equal(readFileSync(join(repoDir, 'docs/scale.md'), 'utf8'), scaleDocument(), 'run npm run scale -- --document')
})

test('ten times the posts need ten times the bytes, and views do not change the database', () => {
  const small = predict({ posts: 1e6, agents: 1e4, views: 1e6 })
  const large = predict({ posts: 10e6, agents: 1e4, views: 100e6 })
  assert.equal(Math.round(large.databaseBytes / small.databaseBytes), 10)
  assert.equal(Math.round(large.storeBytes / small.storeBytes), 10)
  assert.equal(Math.round(large.dollars.cdn / small.dollars.cdn), 100)
})

test('the most exceeded limit comes first', () => {
  const { limits } = predict({ posts: 10e6, agents: 1e8, views: 1e6 })
  assert.equal(limits[0]?.what, 'the ceiling, at peak')
})

test('a check predicts the largest size from the others', () => {
  const size = (posts: number, bytesPerPost: number, perSecond: number) => ({
    posts,
    submit: { perSecond, p50: 1, p99: 1 },
    tables: [{ table: 'posts', rows: posts, bytesPerPost, indexBytesPerPost: 0 }],
  })
  const compared = compareWithModel({ sizes: [size(100, 10, 400), size(10_000, 10, 200), size(1_000_000, 20, 100)] })
  const errorOf = (what: string) => compared.find((one) => one.what === what)?.error
  assert.equal(errorOf('posts, bytes'), -0.5)
  assert.equal(Math.round(100 * Number(errorOf('submissions per second'))), 0)
})
