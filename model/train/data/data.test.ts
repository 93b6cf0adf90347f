import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { halfOf, keyOf } from '../../eval/data/outside-sets.ts'
import { readSet } from '../../eval/data/read-set.ts'
import { parseCsv } from '../../eval/data/read-table.ts'
import { textOf } from '../../eval/models/open-model.ts'
import { learntCategories } from '../../server/local/local-model.ts'
import { foldsOf } from '../benchmarks/benchmark-jobs.ts'
import { readCommitted, readLabels, readOwnPosts, readPolicyExamples } from './own-rows.ts'
import { allTemplates, writePosts } from './templates/write-posts.ts'

function directoryWith(files: Record<string, string>) {
  const path = mkdtempSync(join(tmpdir(), 'train-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

test('a table can contain quoted commas, quotation marks and line breaks', () => {
  assert.deepEqual(parseCsv('a,b\r\n"x, ""y""","1\n2"\n,\n'), [
    ['a', 'b'],
    ['x, "y"', '1\n2'],
    ['', ''],
  ])
})

test('sealed posts are never trained on', () => {
  const { posts } = readSet(join(import.meta.dirname, '../../data'))
  const trained = new Set([...readCommitted(), ...readOwnPosts()].map(({ text }) => keyOf(text)))
  const sealed = posts.filter((post) => post.sealed)
  assert.ok(sealed.length > 0 && trained.size > 0)
  assert.deepEqual(
    sealed.filter(({ parts }) => trained.has(keyOf(textOf(parts)))).map(({ id }) => id),
    [],
  )
})

test('a violating row has no labels for other categories; a near miss breaks none', () => {
  using place = directoryWith({
    'labels.ndjson': [
      '{"text":"one","category":"spam","violating":true}',
      '{"text":"two","category":"spam","violating":false,"weight":2}',
      '{"text":"three","category":"personal_data","violating":true}',
    ].join('\n'),
  })
  const [one, two, ...others] = readLabels(join(place.path, 'labels.ndjson'))
  assert.deepEqual(one?.labels, { spam: 1 })
  assert.deepEqual(
    Object.values(two?.labels ?? {}),
    learntCategories.map(() => 0),
  )
  assert.equal(two?.weight, 2)
  assert.deepEqual(others, [])
})

test('an invalid label is reported with its line number, without its text', () => {
  for (const line of ['{"text":"private words","violating":"yes"}', '{"text":"private words', 'private words'])
    assertNamedByNumber(line)
})

function assertNamedByNumber(line: string) {
  using place = directoryWith({ 'labels.ndjson': line })
  assert.throws(
    () => readLabels(join(place.path, 'labels.ndjson')),
    (error: Error) => {
      assert.match(error.message, /Line 1 of/)
      assert.doesNotMatch(error.message, /private/)
      return true
    },
  )
}

test('the policy’s examples are read without the name of their kind', () => {
  const rows = readPolicyExamples()
  assert.ok(rows.length > 60)
  assert.ok(rows.every(({ text }) => !/^(Message|Story|Event|Classified ad):/.test(text)))
})

test('templates fill every placeholder, write each post once, and are reproducible by seed', () => {
  const rows = writePosts(1)
  assert.ok(rows.length >= 1_000)
  assert.deepEqual(
    rows.filter(({ text }) => /\{[a-z]+\}/.test(text)).map(({ group }) => group),
    [],
  )
  assert.equal(new Set(rows.map(({ text }) => keyOf(text))).size, rows.length)
  assert.deepEqual(writePosts(1), rows)
  assert.deepEqual(allTemplates.flatMap(({ category }) => category ?? []).sort(), [...learntCategories].sort())
})

test('texts that differ only in case, links and punctuation have the same key and are in the same half', () => {
  assert.equal(keyOf('Win NOW! http://a.example'), keyOf('win now'))
  assert.equal(halfOf('Win NOW!'), halfOf('win now'))
})

test('each row is in one of five folds of similar size', () => {
  const folds = foldsOf(1_595)
  const sizes = [...Map.groupBy(folds, (fold) => fold).values()].map((those) => those.length)
  assert.deepEqual(sizes, [319, 319, 319, 319, 319])
})
