import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isProblem } from '../src/index.ts'
import { clientOf, json, refuse, serve } from './misbehaving-server.ts'

const page = (ids: string[], next_cursor: string | null) => json(200, { data: ids.map((id) => ({ id })), next_cursor })
const queriesOf = ({ seen }: { seen: { url: string }[] }) => seen.map(({ url }) => url)

test('a list follows its pages with the same filters, and reads a page only when the loop needs it', async () => {
  await using server = await serve(json(200, { status: 'up' }), page(['a', 'b'], 'c 1'), page(['c'], null))
  const ids: string[] = []
  for await (const { id } of clientOf(server).posts('classified', { category: 'free', limit: 2 })) {
    ids.push(id)
    if (ids.length === 2) assert.equal(server.seen.length, 2)
  }
  assert.deepEqual(ids, ['a', 'b', 'c'])
  assert.deepEqual(queriesOf(server).slice(1), [
    '/v1/posts?category=free&limit=2',
    '/v1/posts?category=free&limit=2&cursor=c+1',
  ])
})

test('leaving the loop ends the list', async () => {
  await using server = await serve(page(['a', 'b'], 'more'))
  for await (const { id } of clientOf(server).drafts()) {
    assert.equal(id, 'a')
    break
  }
  assert.equal(server.seen.length, 1)
})

test('an empty page with a cursor is not the end', async () => {
  await using server = await serve(page([], 'on'), page(['a'], null))
  assert.equal((await Array.fromAsync(clientOf(server).deliveries('wh_1', { limit: 5 }))).length, 1)
  assert.deepEqual(queriesOf(server), [
    '/v1/webhooks/wh_1/deliveries?limit=5',
    '/v1/webhooks/wh_1/deliveries?limit=5&cursor=on',
  ])
})

test('events continue after the last one', async () => {
  await using server = await serve(page(['evt_1'], 'evt_1'), page([], null))
  assert.equal((await Array.fromAsync(clientOf(server).events({ after: 'evt_0' }))).length, 1)
  assert.deepEqual(queriesOf(server), ['/v1/events?after=evt_0', '/v1/events?after=evt_1'])
})

test('a page without a cursor, or with the one that was just sent, is the last', async () => {
  await using missing = await serve(json(200, { data: [{ id: 'a' }] }))
  assert.equal((await Array.fromAsync(clientOf(missing).drafts())).length, 1)
  await using same = await serve(page(['a'], 'c1'))
  assert.equal((await Array.fromAsync(clientOf(same).drafts())).length, 2)
  await using events = await serve(page(['evt_1'], 'evt_1'))
  assert.equal((await Array.fromAsync(clientOf(events).events({ after: 'evt_1' }))).length, 1)
  assert.deepEqual([missing.seen.length, same.seen.length, events.seen.length], [1, 2, 1])
})

test('an error on a later page reaches the loop', async () => {
  await using server = await serve(page(['a'], 'b'), refuse(402, 'insufficient_balance'))
  const found: string[] = []
  const loop = async () => {
    for await (const { id } of clientOf(server).search({ q: 'ferry' })) found.push(id)
  }
  await assert.rejects(loop(), (error) => isProblem(error, 'insufficient_balance'))
  assert.deepEqual(found, ['a'])
})
