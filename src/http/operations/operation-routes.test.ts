import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import fastify from 'fastify'
import { z } from 'zod'
import { waitFor } from '../../../tooling/services/state.ts'
import { defineOperation } from '../../contract/define-operation.ts'
import { createLogger } from '../../platform/observability/logger.ts'
import { shedLoad } from '../shed-load.ts'
import { addOperations } from './operation-routes.ts'

const maxInFlight = 3
const held = Promise.withResolvers<void>()
let [working, opened] = [0, 0]

const streams = defineOperation({
  id: 'testStream',
  method: 'GET',
  path: '/v1/test-stream',
  access: 'anyone',
  whenBanned: 'allowed',
  successStatus: 200,
  tag: 'Posts',
  summary: 'For this test',
  description: 'Waits before it answers.',
  output: z.object({}),
  problems: [],
  answersStream: true,
  examples: { output: {} },
  handle: async () => {
    working += 1
    await held.promise
    working -= 1
    return {}
  },
})

const app = fastify()
const load = shedLoad(app, { maxInFlight, loopDelayMs: () => 0, logger: createLogger('silent', 'test') })
app.addConstraintStrategy({
  name: 'site',
  storage: () => {
    const handlers = new Map<unknown, never>()
    return {
      get: (site) => handlers.get(site) ?? null,
      set: (site, handler) => void handlers.set(site, handler as never),
    }
  },
  deriveConstraint: () => 'message',
})
const site = { kind: { name: 'message' }, baseUrl: 'https://messages.test' }
addOperations(app, { sites: [site], allowances: {} } as never, {
  place: { name: 'message', operations: [streams], site } as never,
  answered: new WeakMap(),
  hub: { assertRoom: () => {}, open: () => (opened += 1) } as never,
  release: load.release,
})
app.get('/quick', { constraints: { site: 'message' } }, async () => 'done')

let url = ''
before(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => app.close())

const connections = () =>
  new Promise<number>((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

test('a caller of the stream that leaves while the service works for it takes no place any more', async () => {
  const sockets = await Promise.all(
    Array.from({ length: maxInFlight }, async () => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write('GET /v1/test-stream HTTP/1.1\r\nHost: a\r\n\r\n')
      return socket
    }),
  )
  await waitFor(async () => working === maxInFlight, 'all calls to be in work')
  const others = (await connections()) - maxInFlight
  for (const socket of sockets) socket.resetAndDestroy()
  await waitFor(async () => (await connections()) <= others, 'the connections to be gone')
  held.resolve()
  await waitFor(async () => working === 0, 'the work to end')
  await waitFor(async () => (await fetch(`${url}/quick`)).status === 200, 'a place to be free')
  assert.equal(opened, 0)
})
