import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { serveFiles } from '../../../test/support/http/gateway.ts'
import { exchange } from '../../../tooling/network/raw-http.ts'

// Nobody listens behind any of its doors.
let gateway: Awaited<ReturnType<typeof serveFiles>>
before(async () => {
  gateway = await serveFiles({})
})
after(() => gateway?.[Symbol.asyncDispose]())

const ask = (port: number, method: string, path: string) =>
  exchange(
    port,
    `${method} ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
  )

/** As the pages of these doors have them, and nothing of theirs is loaded or sent. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'retry-after': '5',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'access-control-allow-origin': null,
}

suite('while a door for people restarts', () => {
  for (const door of ['owner', 'desk'] as const) {
    test(`whoever opens a page of the ${door} is told that it is back in a moment, and it comes by itself`, async () => {
      for (const path of ['/', '/account', '/o/secret?a=<b>']) {
        const { status, headers: sent, body } = await ask(gateway[door], 'GET', path)
        assert.equal(status, 503)
        assert.deepEqual(Object.fromEntries(Object.keys(headers).map((name) => [name, sent.get(name)])), headers)
        assert.match(body, /^<!doctype html>[\s\S]*<meta http-equiv="refresh" content="5">[\s\S]*back in a moment/)
        assert.doesNotMatch(body, /secret|<b>/)
      }
      assert.equal((await ask(gateway[door], 'HEAD', '/')).status, 503)
    })

    test(`whoever sends a form to the ${door} is told to look, and it is not opened as a page`, async () => {
      const { status, headers: sent, body } = await ask(gateway[door], 'POST', '/sign-in')
      assert.deepEqual([status, sent.get('content-type')], [503, headers['content-type']])
      assert.match(body, /back in a moment/)
      assert.doesNotMatch(body, /refresh/)
    })
  }

  test('programs are answered with a document: the API, and what the payment provider sends', async () => {
    for (const [method, path] of [
      ['GET', '/v1/account'],
      ['POST', '/payments/events'],
    ] as const) {
      const { status, headers: sent, body } = await ask(gateway.owner, method, path)
      assert.deepEqual([status, sent.get('content-type')], [503, 'application/problem+json'])
      assert.equal(JSON.parse(body).code, 'unavailable')
    }
  })
})
