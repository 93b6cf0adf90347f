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
  await untilAnswering([`${url}/`, `${url}/late`], { isRunning })
  assert.ok(asked >= 5)
})

test('the error for a service that does not respond in time lists the missing addresses', async () => {
  await assert.rejects(untilAnswering([`${url}/`, `${url}/down`], { isRunning, timeoutMs: 1 }), (error) => {
    assert.ok(error instanceof NotReady)
    assert.equal(error.message, `No response from ${url}/down within 0.001 s.`)
    return true
  })
})

test('waiting stops when the service exits', async () => {
  let looks = 0
  const ended = untilAnswering([`${url}/down`], { isRunning: () => ++looks < 3 })
  await assert.rejects(ended, { message: 'The service exited while starting.' })
})
