import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { exchange, get } from '../../../tooling/network/raw-http.ts'
import { assertProblem } from '../../../tooling/problem-document.ts'
import { times } from '../../../tooling/test-length.ts'
import { fuzzRequests } from './requests.ts'

const seed = 20_261_115
const count = times({ whole: 20_000, short: 2_000 })

let service: Service
let port: number
before(async () => {
  service = await startService()
  port = Number(new URL(service.baseUrl).port)
})
after(() => service[Symbol.asyncDispose]())

test(`${count} malformed and odd requests each get a response: a problem document for an error, never a 5xx`, async () => {
  const { api_key } = await service.createAccount()
  const summary = await fuzzRequests({ host: 'localhost', port, count, seed, apiKey: api_key })
  const repeat = (index: number) => `npm run fuzz -- requests --seed ${seed} --first ${index} --count 1`
  const failures = summary.failures.map(({ index, request, reason }) => `${reason}\n  ${request}\n  ${repeat(index)}`)
  assert.deepEqual(failures, [], `with seed ${seed}`)
  assert.equal(summary.sent, count)
  const codes = Object.keys(summary.byCode)
  assert.ok(codes.length >= 12, `seed ${seed} met only ${codes.join(', ')}`)
  assert.equal((await fetch(`${service.baseUrl}/v1/status`)).status, 200)
})

const contentTypeOf = ({ headers }: { headers: Headers }) => headers.get('content-type')

test('the pointer to a parameter with a long name is truncated between characters', async () => {
  const name = `${'a'.repeat(99)}%F0%9F%A6%91`
  for (const query of [`${name}=1`, `${name}=1&${name}=2`]) {
    const answer = await get(port, `/v1/status?${query}`)
    assertProblem({ ...answer, contentType: contentTypeOf(answer) }, 'invalid_query')
  }
})

test('parameters after a question mark inside the query are not hidden', async () => {
  const answer = await get(port, '/v1/status??unknown=1')
  assertProblem({ ...answer, contentType: contentTypeOf(answer) }, 'invalid_query')
})

test('a HEAD with an invalid request line gets a problem response', async () => {
  const answer = await exchange(port, `HEAD /v1/a b HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)
  assert.deepEqual([answer.status, contentTypeOf(answer)], [400, 'application/problem+json'])
})

test('a rejected request with a broken body gets a problem response', async () => {
  for (const line of ['TRACE /v1/status', 'POST /nowhere', 'BREW /']) {
    const head = `${line} HTTP/1.1\r\nHost: localhost:${port}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const answer = await exchange(port, `${head}zz\r\n{}\r\n0\r\n\r\n`)
    assertProblem({ ...answer, contentType: contentTypeOf(answer) }, 'malformed_request')
  }
})

test('an oversized body is read to its end, because closing early could lose the response at the gateway', async () => {
  const body = ' '.repeat(700_000)
  const head = `Host: ${new URL(service.baseUrl).host}\r\nContent-Type: application/json\r\n`
  const refused = `POST /v1/accounts HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n`
  const socket = connect(service.apiPort, '127.0.0.1')
  socket.write(`${refused}${body}`)
  socket.end(`GET /v1/pricing HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
  const answers = (await socket.setEncoding('utf8').toArray()).join('')
  assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 200'])
})
