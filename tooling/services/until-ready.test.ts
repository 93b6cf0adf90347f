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

test('a service is ready when all its addresses answer', async () => {
  await untilAnswering([`${url}/`, `${url}/late`], { isRunning })
  assert.ok(asked >= 5)
})

test('a service that does not answer in time is named by the addresses that are missing', async () => {
  await assert.rejects(untilAnswering([`${url}/`, `${url}/down`], { isRunning, timeoutMs: 1 }), (error) => {
    assert.ok(error instanceof NotReady)
    assert.equal(error.message, `Waited 0.001 s, and there is no answer from ${url}/down.`)
    return true
  })
})

test('a service that ended is not waited for', async () => {
  let looks = 0
  const ended = untilAnswering([`${url}/down`], { isRunning: () => ++looks < 3 })
  await assert.rejects(ended, { message: 'The service ended while it was starting.' })
})
