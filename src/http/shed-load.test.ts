// Runs alone: it measures the event loop.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import fastify from 'fastify'
import { waitFor } from '../../tooling/services/state.ts'
import { problemFrom } from '../calls/problem-from.ts'
import { createLogger } from '../platform/observability/logger.ts'
import { maxLoopDelayMs, shedLoad } from './shed-load.ts'

const maxInFlight = 12
const lines: string[] = []
let loopDelayMs = 0
let held = Promise.withResolvers<void>()
let working = 0

const app = fastify()
app.setErrorHandler((error, _request, reply) => {
  const { status, headers, code } = problemFrom(error)
  return reply.code(status).headers(headers).send({ code })
})
shedLoad(app, {
  maxInFlight,
  loopDelayMs: () => loopDelayMs,
  logger: createLogger('info', 'test', { write: (line: string) => void lines.push(line) }),
})
app.get('/quick', async () => 'done')
app.post('/quick', async () => 'done')
app.get('/fails', async () => {
  throw new Error('on purpose')
})
app.get('/held', async () => {
  working += 1
  await held.promise
  working -= 1
  return 'done'
})

let port = 0
let url = ''
before(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
after(() => app.close())

const statusOf = async (path: string, method = 'GET') => (await fetch(`${url}${path}`, { method })).status

function release() {
  held.resolve()
  held = Promise.withResolvers<void>()
}

const untilWorking = (count: number) => waitFor(async () => working === count, `${count} to be in work`)

/** Exactly `max` requests are admitted: earlier requests are neither still counted nor released twice. */
async function assertAsBefore() {
  const taken: Promise<number>[] = []
  await waitFor(async () => (await statusOf('/quick')) === 200, 'a place to be free')
  while (taken.length < maxInFlight) {
    taken.push(statusOf('/held'))
    await untilWorking(taken.length)
  }
  assert.deepEqual([await statusOf('/held'), await statusOf('/quick')], [503, 503])
  release()
  assert.deepEqual(await Promise.all(taken), new Array<number>(maxInFlight).fill(200))
}

test('requests up to the limit are accepted, and the next one gets Retry-After', async () => {
  await assertAsBefore()
  const taken = Array.from({ length: maxInFlight }, () => statusOf('/held'))
  await untilWorking(maxInFlight)
  const refused = await fetch(`${url}/quick`)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
  assert.deepEqual(await refused.json(), { code: 'unavailable' })
  release()
  await Promise.all(taken)
})

test('any response releases its slot', async () => {
  for (let count = 0; count < 3 * maxInFlight; count += 1)
    await Promise.all([
      statusOf('/quick', 'HEAD'),
      statusOf('/fails'),
      statusOf('/nowhere'),
      statusOf('/quick', 'POST'),
    ])
  await assertAsBefore()
})

async function openSocket() {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

test('a disconnected caller keeps its slot only until its work ends', async () => {
  const sockets = await Promise.all(Array.from({ length: maxInFlight }, openSocket))
  for (const socket of sockets) socket.write(get('/held'))
  await untilWorking(maxInFlight)
  const left = (await connections()) - maxInFlight
  for (const socket of sockets) socket.resetAndDestroy()
  await waitFor(async () => (await connections()) <= left, 'the connections to be gone')
  assert.equal(await statusOf('/quick'), 503)
  release()
  await assertAsBefore()
})

const connections = () =>
  new Promise<number>((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

test('pipelined requests release their slots, with or without a response', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  const socket = await openSocket()
  socket.write(get('/held').repeat(maxInFlight))
  await untilWorking(maxInFlight)
  socket.resetAndDestroy()
  release()
  await assertAsBefore()
  process.off('warning', note)
  assert.deepEqual(warnings, [])
})

test('an unfinished body releases its slot when the connection closes', async () => {
  const sockets = await Promise.all(Array.from({ length: maxInFlight }, openSocket))
  const begun = `POST /quick HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf`
  for (const socket of sockets) socket.write(begun)
  await waitFor(async () => (await statusOf('/quick')) === 503, 'all places to be taken')
  for (const socket of sockets) socket.resetAndDestroy()
  await assertAsBefore()
})

test('no request is started while the event loop lags', async () => {
  loopDelayMs = maxLoopDelayMs + 1
  assert.equal(await statusOf('/quick'), 503)
  loopDelayMs = maxLoopDelayMs
  assert.equal(await statusOf('/quick'), 200)
  await assertAsBefore()
})

test('rejected requests are logged as totals', async () => {
  await waitFor(async () => lines.length > 0, 'a line of the log')
  assert.match(lines[0] ?? '', /"refused":\{"in_flight":\d+.*because of overload/)
})
