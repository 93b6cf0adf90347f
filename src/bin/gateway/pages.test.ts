import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { serveFiles } from '../../../test/support/http/gateway.ts'
import { exchange } from '../../../tooling/network/raw-http.ts'

// No process listens on the upstream ports.
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

/** The same headers as on the pages of these servers. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'retry-after': '5',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'access-control-allow-origin': null,
}

suite('while a page server restarts', () => {
  for (const door of ['owner', 'desk'] as const) {
    test(`if the ${door} server is down, a page says that it will be back, and reloads by itself`, async () => {
      for (const path of ['/', '/account', '/o/secret?a=<b>']) {
        const { status, headers: sent, body } = await ask(gateway[door], 'GET', path)
        assert.equal(status, 503)
        assert.deepEqual(Object.fromEntries(Object.keys(headers).map((name) => [name, sent.get(name)])), headers)
        assert.match(body, /^<!doctype html>[\s\S]*<meta http-equiv="refresh" content="5">[\s\S]*back in a moment/)
        assert.doesNotMatch(body, /secret|<b>/)
        // Of everything in the page, a browser applies only its own style.
        const [, style = ''] = /<style>([^<]+)<\/style>/.exec(body) ?? []
        assert.equal(
          sent.get('content-security-policy'),
          `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        )
      }
      assert.equal((await ask(gateway[door], 'HEAD', '/')).status, 503)
    })

    test(`if the ${door} server is down, the response to a form asks to check first and does not reload`, async () => {
      const { status, headers: sent, body } = await ask(gateway[door], 'POST', '/sign-in')
      assert.deepEqual([status, sent.get('content-type')], [503, headers['content-type']])
      assert.match(body, /back in a moment/)
      assert.doesNotMatch(body, /refresh/)
    })
  }

  test('programs get a problem document: API callers and the payment provider', async () => {
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
