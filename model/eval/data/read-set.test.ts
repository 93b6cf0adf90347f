import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { groupOf, isSealed, readSet } from './read-set.ts'

const message = { id: 'spam-v-01', kind: 'message', text: 'Buy.', category: 'spam', violating: true }
const nearMiss = {
  id: 'spam-n-01',
  kind: 'event',
  title: 'Sale',
  text: 'On Sunday.',
  category: 'spam',
  violating: false,
}
const clean = { id: 'clean-01', kind: 'story', title: 'Rain', text: 'It rained.', category: null, violating: false }

function withFiles<Result>(files: Record<string, readonly object[]>, run: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-set-'))
  try {
    for (const [name, rows] of Object.entries(files))
      writeFileSync(join(folder, name), `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
    return run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a set is read with its groups and fields, and its hash covers every word', () => {
  const files = { 'spam.jsonl': [message, nearMiss], 'clean.jsonl': [clean] }
  const { posts, hash } = withFiles(files, readSet)
  assert.deepEqual(posts.map(groupOf).sort(), ['clean', 'near_miss', 'violating'])
  assert.deepEqual(posts.find(({ id }) => id === 'spam-n-01')?.parts, [
    { field: 'title', text: 'Sale' },
    { field: 'body', text: 'On Sunday.' },
  ])
  assert.match(hash, /^[0-9a-f]{12}$/)
  const reordered = withFiles({ 'clean.jsonl': [clean], 'spam.jsonl': [nearMiss, message] }, readSet)
  assert.equal(reordered.hash, hash)
  const changed = withFiles({ ...files, 'clean.jsonl': [{ ...clean, text: 'It snowed.' }] }, readSet)
  assert.notEqual(changed.hash, hash)
})

const faults: [name: string, files: Record<string, readonly object[]>, message: RegExp][] = [
  ['an id that says something else', { 'spam.jsonl': [{ ...message, violating: false }] }, /spam\.jsonl:1: .*id/],
  ['a row in another category’s file', { 'sexual.jsonl': [message] }, /another file/],
  ['a category that is none', { 'spam.jsonl': [{ ...message, category: 'rude' }] }, /category/],
  ['a kind that is none', { 'spam.jsonl': [{ ...message, kind: 'poem' }] }, /kind/],
  ['a message with a title', { 'spam.jsonl': [{ ...message, title: 'Hi' }] }, /title/],
  ['a story without one', { 'clean.jsonl': [{ ...clean, title: undefined }] }, /title/],
  ['a member too many', { 'spam.jsonl': [{ ...message, note: '' }] }, /note/],
  ['the same id twice', { 'spam.jsonl': [message, { ...message, text: 'Other.' }] }, /same id: spam-v-01/],
  ['the same text twice', { 'spam.jsonl': [message, { ...message, id: 'spam-v-02' }] }, /same text: spam-v-01/],
  ['no row at all', { 'spam.jsonl': [] }, /no post/],
]
for (const [name, files, expected] of faults)
  test(`a set is rejected for ${name}`, () => assert.throws(() => withFiles(files, readSet), expected))

test('an error about a row never repeats its text', () => {
  const files = { 'spam.jsonl': [{ ...message, text: 'SECRET', kind: 'poem' }] }
  assert.throws(
    () => withFiles(files, readSet),
    (error: Error) => !error.message.includes('SECRET'),
  )
})

test('a third of all ids is sealed, always the same third', () => {
  const ids = Array.from({ length: 3_000 }, (_, index) => `spam-v-${index}`)
  const share = ids.filter(isSealed).length / ids.length
  assert.ok(Math.abs(share - 85 / 256) < 0.03, `${share}`)
  // The first bytes of their SHA-256 are 0xb4 and 0x16.
  assert.deepEqual(['clean-01', 'clean-02'].map(isSealed), [false, true])
})
