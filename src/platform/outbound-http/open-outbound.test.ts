import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { describe, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { startDnsServer } from '../../../tooling/network/dns-server.ts'
import {
  makeCertificates,
  pickReceiverAddress,
  receiverRange,
  startListener,
  startReceiver,
} from '../../../tooling/network/https-receiver.ts'
import { patienceMs } from '../../../tooling/services/state.ts'
import { OutboundError, type OutboundErrorKind, openOutbound } from './open-outbound.ts'

const name = 'hooks.example.com'
const url = `https://${name}/path?query=1`
const certificates = makeCertificates([name])
const post = {
  body: Buffer.from('{"a":1}'),
  headers: { 'webhook-id': 'evt_1' },
  timeoutMs: patienceMs,
  maxBytes: 1_000,
}
const fails = (kind: OutboundErrorKind) => (error: unknown) =>
  error instanceof OutboundError && error.kind === kind && !/secret text/.test(`${error.stack} ${error.cause}`)
const always = { maxConnections: 2, mayConnect: () => true }

/** A receiver with a host name and everything needed to reach it. */
async function stage(listener: RequestListener, { key, cert } = certificates) {
  const address = pickReceiverAddress()
  const dns = await startDnsServer({ [name]: { a: [address] } })
  const receiver = await startReceiver({ address, key, cert }, listener)
  const options = {
    testRanges: [receiverRange],
    dnsServers: [dns.server],
    certificateAuthorities: certificates.ca,
  }
  const outbound = openOutbound(options)
  return {
    address,
    dns,
    receiver,
    options,
    outbound,
    [Symbol.asyncDispose]: async () => {
      await outbound.close()
      await receiver[Symbol.asyncDispose]()
      await dns[Symbol.asyncDispose]()
    },
  }
}

describe('a post to an address that a user chose', () => {
  test('arrives unchanged with the host name, and its status is returned', async () => {
    const bodies: string[] = []
    await using there = await stage(async (request, response) => {
      bodies.push(Buffer.concat(await request.toArray()).toString())
      response.writeHead(200).end('fine')
    })
    const channel = there.outbound.openChannel(url, always)
    assert.deepEqual(await channel.post(post), { status: 200, retryAfter: null })
    const [request] = there.receiver.requests
    assert.deepEqual([request?.method, request?.url, bodies], ['POST', '/path?query=1', ['{"a":1}']])
    assert.equal(request?.headers.host, name)
    assert.equal(request?.headers['webhook-id'], 'evt_1')
  })

  test('follows no redirect and returns any status', async () => {
    for (const status of [201, 204, 301, 302, 303, 307, 308, 400, 404, 410, 429, 500, 503]) {
      await using there = await stage((_request, response) => response.writeHead(status, { location: url }).end())
      const channel = there.outbound.openChannel(url, always)
      assert.equal((await channel.post(post)).status, status)
      assert.equal(there.receiver.requests.length, 1)
    }
  })

  test('returns the first 64 characters of Retry-After', async () => {
    let retryAfter = '120'
    await using there = await stage((_request, response) =>
      response.writeHead(503, { 'retry-after': retryAfter }).end(),
    )
    const channel = there.outbound.openChannel(url, always)
    assert.equal((await channel.post(post)).retryAfter, '120')
    retryAfter = 'x'.repeat(100)
    assert.equal((await channel.post(post)).retryAfter, 'x'.repeat(64))
  })

  test('ignores informational responses', async () => {
    await using there = await stage((_request, response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeHead(202).end()
    })
    assert.equal((await there.outbound.openChannel(url, always).post(post)).status, 202)
  })

  test('reuses a connection, opens no more than allowed, and lets the rest wait', async () => {
    await using there = await stage((_request, response) => response.end('fine'))
    const channel = there.outbound.openChannel(url, always)
    await channel.post(post)
    await channel.post(post)
    assert.equal(there.receiver.connections(), 1)
    await Promise.all(Array.from({ length: 20 }, () => channel.post(post)))
    assert.equal(there.receiver.connections(), 2)
    assert.equal(there.receiver.requests.length, 22)
  })

  test('resolves the name again after a minute, however busy its connection is', async (t) => {
    await using there = await stage((_request, response) => response.end())
    const channel = there.outbound.openChannel(url, always)
    await channel.post(post)
    const later = performance.now() + 61_000
    t.mock.method(performance, 'now', () => later)
    await channel.post(post)
    await channel.post(post)
    assert.equal(there.receiver.connections(), 2)
    assert.equal(there.dns.questions.filter(({ type }) => type === 'A').length, 2)
  })

  test('reaches an IP address, and a host name with a trailing dot', async () => {
    const address = pickReceiverAddress()
    const { ca, key, cert } = makeCertificates([address, name])
    await using dns = await startDnsServer({ [name]: { a: [address] } })
    await using receiver = await startReceiver({ address, key, cert }, (_request, response) => response.end())
    const outbound = openOutbound({ testRanges: [receiverRange], dnsServers: [dns.server], certificateAuthorities: ca })
    for (const to of [`https://${address}/`, `https://${name}./`, `https://${name}:443/`]) {
      assert.equal((await outbound.openChannel(to, always).post(post)).status, 200, to)
    }
    assert.equal(receiver.requests.at(-1)?.headers.host, name)
    await outbound.close()
  })

  test('tries a second address if nothing listens on the first', async () => {
    await using there = await stage((_request, response) => response.end())
    there.dns.setZone({ [name]: { a: [pickReceiverAddress(), there.address] } })
    assert.equal((await there.outbound.openChannel(url, always).post(post)).status, 200)
  })
})

describe('the body of a response', () => {
  test('is read up to its limit; then the connection is closed and the status counts', async () => {
    const closed = Promise.withResolvers<void>()
    await using there = await stage((_request, response) => {
      response.on('close', closed.resolve)
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', pour)
      pour()
    })
    assert.equal((await there.outbound.openChannel(url, always).post(post)).status, 200)
    await closed.promise
  })

  test('that does not end does not change the status, and is not awaited until the deadline', async () => {
    await using there = await stage((_request, response) => response.writeHead(200).write('x'))
    const channel = there.outbound.openChannel(url, { ...always, maxConnections: 1 })
    const long = { ...post, timeoutMs: 3_600_000 }
    assert.deepEqual(
      (await Promise.all([channel.post(long), channel.post(long)])).map(({ status }) => status),
      [200, 200],
    )
  })

  test('that is cut off does not change the status', async () => {
    await using there = await stage((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x')
      setImmediate(() => response.destroy())
    })
    assert.equal((await there.outbound.openChannel(url, always).post(post)).status, 200)
  })
})

describe('a post fails', () => {
  const speakRaw = (text: string) =>
    stage((request) => {
      request.socket.write(text)
    })

  test('in time if the receiver hangs, and its connection is closed', async () => {
    const closed = Promise.withResolvers<void>()
    await using there = await stage((request) => request.on('close', closed.resolve))
    // On a busy machine the first post may end before its connection is open.
    for (let timeoutMs = 300; there.receiver.requests.length === 0; timeoutMs *= 2)
      await assert.rejects(there.outbound.openChannel(url, always).post({ ...post, timeoutMs }), fails('timeout'))
    await closed.promise
  })

  test('in time if the handshake hangs, the name server is silent, or the post waits for a connection', async () => {
    await using there = await stage(() => {})
    const [deaf, short] = [pickReceiverAddress(), { ...post, timeoutMs: 300 }]
    await using _listener = await startListener(deaf)
    there.dns.setZone({ [name]: { a: [deaf] }, 'silent.example.com': 'silence' })
    for (const to of [url, 'https://silent.example.com/']) {
      const channel = there.outbound.openChannel(to, { ...always, maxConnections: 1 })
      const outcomes = await Promise.allSettled([channel.post(short), channel.post(short)])
      for (const outcome of outcomes) assert.ok(outcome.status === 'rejected' && fails('timeout')(outcome.reason))
    }
  })

  test('if the connection is reset before, during or after the handshake', async () => {
    await using there = await stage((request) => request.socket.destroy())
    await assert.rejects(there.outbound.openChannel(url, always).post(post), fails('connection_broken'))
    const abrupt = pickReceiverAddress()
    await using _listener = await startListener(abrupt, (socket) => socket.once('data', () => socket.resetAndDestroy()))
    there.dns.setZone({ [name]: { a: [abrupt] } })
    await assert.rejects(there.outbound.openChannel(url, always).post(post), fails('connection_broken'))
    there.dns.setZone({ [name]: { a: [pickReceiverAddress()] } })
    await assert.rejects(there.outbound.openChannel(url, always).post(post), fails('connection_failed'))
  })

  test('if the certificate has another name or is untrusted, or there is no TLS', async () => {
    await using otherName = await stage((_request, response) => response.end(), {
      ...certificates,
      ...makeCertificates(['other.example.com']),
    })
    await assert.rejects(otherName.outbound.openChannel(url, always).post(post), fails('tls_failed'))
    await using there = await stage((_request, response) => response.end())
    const wary = openOutbound({ testRanges: [receiverRange], dnsServers: [there.dns.server] })
    await assert.rejects(wary.openChannel(url, always).post(post), fails('tls_failed'))
    await wary.close()
    const plain = pickReceiverAddress()
    await using _listener = await startListener(plain, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    there.dns.setZone({ [name]: { a: [plain] } })
    await assert.rejects(there.outbound.openChannel(url, always).post(post), fails('tls_failed'))
    assert.equal(there.receiver.requests.length + otherName.receiver.requests.length, 0)
  })

  test('if the response is not HTTP or its head exceeds 16 KiB, without quoting it', async () => {
    const strange = ['secret text\r\n\r\n', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n']
    for (const text of [...strange, `HTTP/1.1 200 OK\r\nx: ${'secret text'.repeat(2_000)}\r\n\r\n`]) {
      await using there = await speakRaw(text)
      await assert.rejects(there.outbound.openChannel(url, always).post(post), fails('malformed_response'))
    }
  })

  test('if the socket connects to an unexpected address, before a byte is sent', async (t) => {
    await using there = await stage((_request, response) => response.end())
    Object.defineProperty(TLSSocket.prototype, 'remoteAddress', { configurable: true, get: () => '10.0.0.1' })
    t.after(() => Reflect.deleteProperty(TLSSocket.prototype, 'remoteAddress'))
    await assert.rejects(there.outbound.openChannel(url, always).post(post), fails('address_refused'))
    assert.equal(there.receiver.requests.length, 0)
  })

  test('as withdrawn if it is not allowed to connect, without connecting', async () => {
    await using there = await stage((_request, response) => response.end())
    for (const mayConnect of [() => false, async () => false]) {
      const channel = there.outbound.openChannel(url, { maxConnections: 1, mayConnect })
      await assert.rejects(channel.post(post), fails('withdrawn'))
    }
    assert.ok(there.dns.questions.length > 0, 'it is asked after the lookup')
    const unsure = { maxConnections: 1, mayConnect: () => Promise.reject(new Error('no database')) }
    await assert.rejects(there.outbound.openChannel(url, unsure).post(post), fails('connection_failed'))
    assert.equal(there.receiver.connections(), 0)
  })

  test('as withdrawn if it is cancelled, at any step', async () => {
    await using there = await stage(() => {})
    const channel = there.outbound.openChannel(url, { ...always, maxConnections: 1 })
    const giving = new AbortController()
    const posts = [channel.post({ ...post, signal: giving.signal }), channel.post({ ...post, signal: giving.signal })]
    await once(there.receiver.server, 'request')
    giving.abort()
    for (const one of posts) await assert.rejects(one, fails('withdrawn'))
    await assert.rejects(channel.post({ ...post, signal: giving.signal }), fails('withdrawn'))
  })
})
