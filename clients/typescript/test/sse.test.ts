import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SseParser } from '../src/sse.ts'

const parse = (...pieces: string[]) => {
  const parser = new SseParser()
  return pieces.flatMap((piece) => parser.push(piece))
}
const event = (data: string, id = '', type = 'message') => ({ id, type, data })

test('an event has its id, type and data', () => {
  assert.deepEqual(parse('id: 1\nevent: post.published\ndata: {"a":1}\n\n'), [event('{"a":1}', '1', 'post.published')])
})

test('lines end with CRLF, LF or CR, and several data lines are one text', () => {
  for (const end of ['\r\n', '\n', '\r'])
    assert.deepEqual(parse(['data: one', 'data: two', '', 'data:three', '', ''].join(end)), [
      event('one\ntwo'),
      event('three'),
    ])
})

test('only one space after the colon belongs to the format', () => {
  assert.deepEqual(parse('data:  a\n\ndata\n\ndata: b: c\n\n'), [event(' a'), event(''), event('b: c')])
})

test('comments, unknown fields and events without data are skipped', () => {
  assert.deepEqual(parse(': heartbeat\n\nfoo: bar\nevent: x\n\ndata: a\n\n'), [event('a')])
})

test('an id stays until the next one, and moves on without an event', () => {
  const parser = new SseParser()
  assert.deepEqual(parser.push('id: 1\ndata: a\n\ndata: b\n\n'), [event('a', '1'), event('b', '1')])
  assert.deepEqual(parser.push(':\nid: 2\n\n'), [])
  assert.equal(parser.lastId, '2')
  parser.push('id: 3\n')
  assert.equal(parser.lastId, '2', 'an incomplete event does not count')
  parser.push('id: a\0b\ndata: c\n\n')
  assert.equal(parser.lastId, '3')
})

test('retry is a number of milliseconds', () => {
  const parser = new SseParser()
  parser.push('retry: soon\n')
  assert.equal(parser.retryMs, undefined)
  parser.push('retry: 2500\n')
  assert.equal(parser.retryMs, 2_500)
})

test('a byte order mark at the start is ignored, and an incomplete event is not told', () => {
  assert.deepEqual(parse('\uFEFFdata: a\n\ndata: b\n'), [event('a')])
})

test('pieces of any size give the same events', () => {
  const text = 'id: 1\r\nevent: x\r\ndata: é\r\ndata: 🌊\r\n\r\n: c\rdata: b\r\r\nid: 2\ndata: c\n\n'
  const whole = parse(text)
  assert.equal(whole.length, 3)
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 30 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), text.length]
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
      assert.deepEqual(parse(...pieces), whole)
    }),
  )
})

test('an event that never ends is refused', () => {
  const parser = new SseParser()
  assert.throws(() => {
    for (let count = 0; count < 100; count++) parser.push(`data: ${'a'.repeat(100_000)}\n`)
  }, /too long/)
})
