import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outbound } from '../../platform/outbound-http/open-outbound.ts'
import { openChannels } from './channels.ts'

/** Opens no connections, and records which channels were opened and closed. */
function fakeOutbound() {
  const opened: { mayConnect: () => boolean | Promise<boolean>; isClosed: boolean }[] = []
  const outbound = {
    openChannel: (_url: string, { mayConnect }: { mayConnect: () => boolean | Promise<boolean> }) => {
      const one = { mayConnect, isClosed: false }
      opened.push(one)
      const close = async () => {
        one.isClosed = true
      }
      return { post: () => Promise.reject(), close }
    },
  } as unknown as Outbound
  return { outbound, opened }
}
const options = { maxConnections: 10, mayConnect: () => true }

test('both queues of an endpoint share a channel, even across runs', () => {
  const { outbound, opened } = fakeOutbound()
  const channels = openChannels(outbound, options)
  const [first, again] = [channels.take('wh_1', 'https://a.example'), channels.take('wh_1', 'https://a.example')]
  assert.equal(first.channel, again.channel)
  first.leave()
  again.leave()
  assert.equal(channels.take('wh_1', 'https://a.example').channel, first.channel)
  assert.equal(opened.length, 1)
})

test('a retired channel opens no more connections, and closes after its last user', () => {
  const { outbound, opened } = fakeOutbound()
  const channels = openChannels(outbound, options)
  const old = channels.take('wh_1', 'https://a.example')
  assert.equal(opened[0]?.mayConnect(), true)
  channels.retire('wh_1')
  const next = channels.take('wh_1', 'https://a.example')
  assert.notEqual(next.channel, old.channel)
  assert.deepEqual([opened[0]?.mayConnect(), opened[1]?.mayConnect()], [false, true])
  assert.equal(opened[0]?.isClosed, false)
  old.leave()
  assert.equal(opened[0]?.isClosed, true)
  assert.equal(channels.take('wh_1', 'https://a.example').channel, next.channel)
})
