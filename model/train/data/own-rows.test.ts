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
import { ownRows, readOwnPosts } from './own-rows.ts'

function labelsWith(...lines: string[]) {
  const path = mkdtempSync(join(tmpdir(), 'train-'))
  const file = join(path, 'labels.ndjson')
  writeFileSync(file, lines.join('\n'))
  return { file, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
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
  const own = readOwnPosts()
  const trained = new Set([...own, ...ownRows(own)].map(({ text }) => keyOf(text)))
  const sealed = posts.filter((post) => post.sealed)
  assert.ok(sealed.length > 0 && trained.size > 0)
  assert.deepEqual(
    sealed.filter(({ parts }) => trained.has(keyOf(textOf(parts)))).map(({ id }) => id),
    [],
  )
})

test('a violating row has no labels for other categories; a near miss breaks none', () => {
  using labels = labelsWith(
    '{"text":"one","category":"spam","violating":true}',
    '{"text":"two","category":"spam","violating":false,"weight":2}',
    '{"text":"three","category":"personal_data","violating":true}',
  )
  const posts = readOwnPosts(labels.file).filter(({ author }) => author === 'labels')
  const [one, two, ...others] = ownRows(posts).filter(({ source }) => source === 'labels')
  assert.deepEqual([one?.labels, one?.weight, two?.weight, others], [{ spam: 1 }, 4, 2, []])
  assert.deepEqual(
    Object.values(two?.labels ?? {}),
    learntCategories.map(() => 0),
  )
  assert.deepEqual(
    posts.map(({ isViolating, weight }) => [isViolating, weight]),
    [
      [true, 1],
      [false, 0.5],
      [true, 1],
    ],
  )
})

test('an invalid label is reported with its line number, without its text', () => {
  for (const line of ['{"text":"private words","violating":"yes"}', '{"text":"private words', 'private words']) {
    using labels = labelsWith(line)
    assert.throws(
      () => readOwnPosts(labels.file),
      (error: Error) => /Line 1 of/.test(error.message) && !/private/.test(error.message),
    )
  }
})

test('the policy’s examples are read without the name of their kind', () => {
  const rows = ownRows([])
  assert.ok(rows.length > 60)
  assert.ok(rows.every(({ text }) => !/^(Message|Story|Event|Classified ad):/.test(text)))
})

test('texts that differ only in case, links and punctuation have the same key and are in the same half', () => {
  assert.equal(keyOf('Win NOW! http://a.example'), keyOf('win now'))
  assert.equal(halfOf('Win NOW!'), halfOf('win now'))
})
