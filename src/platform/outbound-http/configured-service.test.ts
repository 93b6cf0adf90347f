import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createRawServer } from 'node:net'
import { describe, test } from 'node:test'
import { patienceMs, waitFor } from '../../../tooling/services/state.ts'
import { isAnswering, postJson, ServiceError } from './configured-service.ts'

const limits = { timeoutMs: patienceMs, maxBytes: 1_000 }

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const fails = (kind: ServiceError['kind']) => (error: unknown) =>
  error instanceof ServiceError && error.kind === kind && !/secret text/.test(`${error.message} ${error.cause}`)

describe('a configured service', () => {
  test('gets JSON and the key, and its JSON is returned', async () => {
    await using server = await serve(async (request, response) => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
      response.end(JSON.stringify({ body, authorization: request.headers.authorization }))
    })
    assert.deepEqual(await postJson(server.url, { one: 1 }, { ...limits, bearer: 'k' }), {
      body: { one: 1 },
      authorization: 'Bearer k',
    })
  })

  test('that does not exist is unreachable', async () => {
    const server = await serve(() => {})
    await server[Symbol.asyncDispose]()
    await assert.rejects(postJson(server.url, {}, limits), fails('unreachable'))
    assert.equal(await isAnswering(server.url, 400), false)
  })

  test('that is silent or never ends times out', async () => {
    await using silent = await serve(() => {})
    await using dripping = await serve((_request, response) => {
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    })
    for (const { url } of [silent, dripping])
      await assert.rejects(postJson(url, {}, { ...limits, timeoutMs: 400 }), fails('timeout'))
    assert.equal(await isAnswering(silent.url, 100), false)
  })

  test('that disconnects is distinguished from a missing one, and its partial response is discarded', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"secret text":')
      setTimeout(() => response.destroy(), 20)
    })
    await using crashing = await serve((_request, response) => response.destroy())
    for (const { url } of [server, crashing]) await assert.rejects(postJson(url, {}, limits), fails('broken_off'))
  })

  test('that does not use HTTP counts as disconnected', async () => {
    const raw = createRawServer((socket) =>
      socket.on('error', () => {}).once('data', () => socket.end('secret text\r\n\r\n')),
    )
    await using _ = raw.listen(0, '127.0.0.1')
    await once(raw, 'listening')
    const url = `http://127.0.0.1:${(raw.address() as AddressInfo).port}`
    await assert.rejects(postJson(url, {}, limits), fails('broken_off'))
  })

  test('causes no error when the caller cancels', async () => {
    const givenUp = new AbortController()
    await using silent = await serve(() => givenUp.abort(new Error('stopping')))
    const asked = () => postJson(silent.url, {}, { ...limits, signal: givenUp.signal })
    await assert.rejects(asked(), { message: 'stopping' })
    await assert.rejects(asked(), { message: 'stopping' })
  })

  test('that responds with an error is reported by its status, without its text', async () => {
    await using server = await serve((_request, response) => response.writeHead(503).end('secret text'))
    await assert.rejects(
      postJson(server.url, {}, limits),
      (error) => fails('status')(error) && (error as ServiceError).status === 503,
    )
    assert.equal(await isAnswering(server.url, 400), false)
  })

  test('is read up to the limit and no further', async () => {
    const answer = (length: number) => JSON.stringify('x'.repeat(length - 2))
    await using full = await serve((_request, response) => response.end(answer(limits.maxBytes)))
    await using over = await serve((_request, response) => response.end(answer(limits.maxBytes + 1)))
    let wasClosed = false
    await using flood = await serve((_request, response) => {
      response.on('close', () => {
        wasClosed = true
      })
      const pour = () => {
        while (!wasClosed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', pour)
      pour()
    })
    assert.equal(String(await postJson(full.url, {}, limits)).length, limits.maxBytes - 2)
    await assert.rejects(postJson(over.url, {}, limits), fails('too_large'))
    await assert.rejects(postJson(flood.url, {}, limits), fails('too_large'))
    await waitFor(async () => wasClosed, 'the rest of the flood not to be taken in')
  })

  test('that does not return JSON is not quoted', async () => {
    for (const text of ['<html>secret text', '{"secret text":', '', '\xff\xfe']) {
      await using server = await serve((_request, response) => response.end(Buffer.from(text, 'latin1')))
      await assert.rejects(postJson(server.url, {}, limits), fails('not_json'), text)
    }
  })

  test('that redirects is not followed, because the key would go with it', async () => {
    let wasAsked = false
    // Other tests may still look for a server that had this port before.
    const path = '/after-the-redirect'
    await using elsewhere = await serve((request, response) => {
      wasAsked ||= request.url === path
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await serve((_request, response) =>
        response.writeHead(status, { location: elsewhere.url + path }).end(),
      )
      await assert.rejects(postJson(server.url, {}, { ...limits, bearer: 'k' }), fails('unreachable'))
      assert.equal(await isAnswering(server.url, 400), false)
    }
    assert.equal(wasAsked, false)
  })

  test('that is healthy is reported as healthy', async () => {
    await using server = await serve((_request, response) => response.end('up'))
    assert.equal(await isAnswering(server.url, 1_000), true)
  })
})
