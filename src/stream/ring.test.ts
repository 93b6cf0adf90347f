import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamEntry } from './render-entry.ts'
import { openRing } from './ring.ts'

const everything = { kind: undefined, author: undefined, facets: {} }

function entryOf(position: number, postId: string, text: string | null, isRemoval = false): StreamEntry {
  const data = text === null ? null : Buffer.from(`data: ${text}\n\n`)
  return { position, postId, isRemoval, prefix: Buffer.from(`id: ${position}\n`), data, isFor: () => true }
}

const openTestRing = (bytes = 10_000) => {
  const ring = openRing({ entries: 100, bytes })
  return { ...ring, text: () => ring.after(0, everything, 10_000)?.bytes.toString() }
}

test('after an edit, earlier entries of the post have the new text, and their own ids', () => {
  const ring = openTestRing()
  ring.append([entryOf(1, 'a', 'old text'), entryOf(2, 'b', 'other')])
  ring.append([entryOf(3, 'a', 'new')])
  assert.equal(ring.text(), 'id: 1\ndata: new\n\nid: 2\ndata: other\n\nid: 3\ndata: new\n\n')
  assert.equal(ring.bytes(), ring.text()?.length)
})

test('after an edit, earlier entries go to the readers whose filter the post matches now', () => {
  const ring = openTestRing()
  ring.append([entryOf(1, 'a', 'boats')])
  ring.append([{ ...entryOf(2, 'a', 'cars'), isFor: () => false }])
  assert.equal(ring.text(), '')
})

test('after a removal, earlier entries of the post have no text; the removal stays', () => {
  const ring = openTestRing()
  ring.append([entryOf(1, 'a', 'text'), entryOf(2, 'a', 'removed', true)])
  assert.equal(ring.text(), 'id: 2\ndata: removed\n\n')
  ring.append([entryOf(3, 'a', 'back')])
  assert.equal(ring.text(), 'id: 1\ndata: back\n\nid: 2\ndata: removed\n\nid: 3\ndata: back\n\n')
  assert.equal(ring.bytes(), ring.text()?.length)
})

test('edits that make earlier entries larger count towards the size of the ring', () => {
  const ring = openTestRing(300)
  ring.append([entryOf(1, 'a', 'x'), entryOf(2, 'a', 'x'), entryOf(3, 'b', 'x')])
  ring.append([entryOf(4, 'a', 'y'.repeat(100))])
  assert.ok(ring.bytes() <= 300)
  assert.equal(ring.after(0, everything, 10_000), undefined)
})
