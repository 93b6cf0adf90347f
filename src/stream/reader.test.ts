import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { openReader, type StreamReader } from './reader.ts'

/** A connection that takes one write at a time, when it is told to. */
function openSlowReader(t: { mock: { method: typeof import('node:test').mock.method } }) {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const taken: Buffer[] = []
  let proceed: (() => void) | undefined
  let drains = 0
  const sink = new Writable({
    write: (part: Buffer, _encoding, done) => {
      taken.push(part)
      proceed = done
    },
  })
  const reader: StreamReader = openReader({
    ...{ sink, position: 0, onClose: () => {}, onEnd: () => {} },
    onDrain: () => {
      drains += 1
    },
  })
  const takeOne = async (at: number) => {
    now = at
    proceed?.()
    // Streams tell of a finished write in the next tick.
    await new Promise(setImmediate)
  }
  return { reader, taken, takeOne, drains: () => drains }
}

test('a connection that takes a long write slowly is not blocked as long as it takes something', async (t) => {
  const { reader, taken, takeOne, drains } = openSlowReader(t)
  const bytes = Buffer.alloc(40 * 1024, 'x')
  reader.write(bytes)
  assert.equal(reader.blockedSince, 0)
  await takeOne(20_000)
  assert.equal(reader.blockedSince, 20_000)
  await takeOne(40_000)
  await takeOne(60_000)
  assert.deepEqual([reader.blockedSince, drains()], [null, 1])
  assert.deepEqual(Buffer.concat(taken), bytes)
})

test('what is written while a long write waits comes after it', async (t) => {
  const { reader, taken, takeOne } = openSlowReader(t)
  reader.write(Buffer.alloc(20 * 1024, 'x'))
  reader.write(Buffer.from('end'))
  for (const at of [1, 2, 3]) await takeOne(at)
  assert.match(Buffer.concat(taken).toString(), /^x{20480}end$/)
})

test('a reader that is disconnected in a long write gets no more', async (t) => {
  const { reader, taken, takeOne } = openSlowReader(t)
  reader.write(Buffer.alloc(40 * 1024, 'x'))
  reader.end('slow')
  await takeOne(1)
  assert.equal(taken.length, 1)
})
