import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { NotReady, untilAnswering } from './until-ready.ts'

let asked = 0
const server = createServer((request, response) => {
  asked++
  response.writeHead(request.url === '/late' && asked < 5 ? 503 : request.url === '/down' ? 503 : 200).end()
})
let url = ''
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

const isRunning = () => true

test('a service is ready when all its addresses respond', async () => {
  const awaited = [
    { name: 'first', url: `${url}/` },
    { name: 'second', url: `${url}/late` },
  ]
  await untilAnswering(awaited, { isRunning })
  assert.ok(asked >= 5)
})

test('waiting has no limit, names what is missing, and stops with the signal', async () => {
  const stop = new AbortController()
  const missing: string[] = []
  const awaited = [
    { name: 'the desk', url: `${url}/` },
    { name: 'the worker', url: `${url}/down` },
  ]
  const onWait = (what: string) => {
    if (missing.push(what) === 3) stop.abort()
  }
  await assert.rejects(untilAnswering(awaited, { isRunning, onWait, signal: stop.signal }), { name: 'AbortError' })
  assert.deepEqual(missing, Array(3).fill(`the worker at ${url}/down`))
})

test('what is missing stays one short line', async () => {
  const stop = new AbortController()
  const awaited = ['the API', 'the desk', 'the worker'].map((name) => ({ name, url: `${url}/down` }))
  let missing = ''
  const onWait = (what: string) => {
    missing = what
    stop.abort()
  }
  await assert.rejects(untilAnswering(awaited, { isRunning, onWait, signal: stop.signal }), { name: 'AbortError' })
  assert.equal(missing, `the API at ${url}/down and 2 more`)
})

test('waiting stops when the service exits', async () => {
  let looks = 0
  const ended = untilAnswering([{ name: 'it', url: `${url}/down` }], { isRunning: () => ++looks < 3 })
  await assert.rejects(ended, (error) => {
    assert.ok(error instanceof NotReady)
    assert.equal(error.message, 'The service exited while starting.')
    return true
  })
})
