import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Manifest } from '../../server/local/scoring/weights.ts'
import { type Figure, figureRow } from './benchmark-figures.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const card = read('docs/model-card.md')

test('the model card shows the measured figures', () => {
  const { figures } = JSON.parse(read('model/weights/local/benchmarks.json')) as { figures: Figure[] }
  assert.deepEqual(
    figures.map(figureRow).filter((row) => !card.includes(row)),
    [],
  )
})

test('the model card lists every source of the weights with its licence and row count', () => {
  const { sources } = JSON.parse(read('model/weights/local/manifest.json')) as Manifest
  const rows = sources.map(({ name, licence, rows: count }) => `| ${name} | ${count} | ${licence} |`)
  assert.deepEqual(
    rows.filter((row) => !card.includes(row)),
    [],
  )
})
