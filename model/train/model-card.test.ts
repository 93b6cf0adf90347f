import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../tooling/services/state.ts'
import type { Manifest } from '../server/local/scoring/weights.ts'

const read = (path: string) => readFileSync(join(repoDir, path), 'utf8')

test('the model card lists every source of the weights with its licence and row count', () => {
  const { sources } = JSON.parse(read('model/weights/local/manifest.json')) as Manifest
  const rows = sources.map(({ name, licence, rows: count }) => `| ${name} | ${count} | ${licence} |`)
  const card = read('docs/model-card.md')
  assert.deepEqual(
    rows.filter((row) => !card.includes(row)),
    [],
  )
})
