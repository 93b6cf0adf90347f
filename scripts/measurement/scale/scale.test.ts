import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../../tooling/services/state.ts'
import { limitsOf, predict, table, threeSizes } from './scale.ts'

test('docs/scale.md has the table that the model calculates', () => {
  const page = readFileSync(join(repoDir, 'docs/scale.md'), 'utf8')
  assert.ok(page.includes(table(threeSizes)), `put this into docs/scale.md:\n\n${table(threeSizes)}`)
})

test('ten times the posts need ten times the bytes, and views do not change the database', () => {
  const small = predict({ posts: 1e6, agents: 1e4, views: 1e6 })
  const large = predict({ posts: 10e6, agents: 1e4, views: 100e6 })
  assert.equal(Math.round(large.databaseBytes / small.databaseBytes), 10)
  assert.equal(Math.round(large.storeBytes / small.storeBytes), 10)
  assert.equal(Math.round(large.dollars.cdn / small.dollars.cdn), 100)
})

test('the most exceeded limit comes first', () => {
  assert.equal(limitsOf({ posts: 10e6, agents: 1e8, views: 1e6 })[0]?.what, 'calls a second at peak')
})
