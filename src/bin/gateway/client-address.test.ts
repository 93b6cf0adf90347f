import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { type ServedWithDoors, serveWithDoors } from '../../../test/support/http/gateway.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { usualLimits } from './limit-values.ts'

const limits = { ...usualLimits, connections: 8, headerSeconds: 600 }
const balancer = '127.0.0.9'
const contentNetwork = '192.0.2.7'

let gateway: ServedWithDoors
before(async () => {
  gateway = await serveWithDoors({ limits, trustedProxies: [balancer, contentNetwork], proxyProtocol: true })
})
after(() => gateway?.[Symbol.asyncDispose]())

const startOf = (client: string) =>
  `PROXY ${client.includes(':') ? 'TCP6' : 'TCP4'} ${client} ${client.includes(':') ? '::1' : '127.0.0.1'} 4711 443\r\n`

/** The address that the API is told. */
async function seen(from: string, client: string, headers: Record<string, string> = {}): Promise<string> {
  const { body } = await gateway.ask(from, 'site', '/v1/status', { before: startOf(client), headers })
  return JSON.parse(body)['x-forwarded-for']
}

test('the PROXY protocol of a trusted proxy names the client', async () => {
  assert.equal(await seen(balancer, '203.0.113.1'), '203.0.113.1')
  assert.equal(await seen(balancer, '2001:db8::5'), '2001:db8::5')
  assert.equal(await seen(balancer, '203.0.113.1', { 'x-forwarded-for': '203.0.113.99' }), '203.0.113.1')
})

test('the PROXY protocol of anyone else is read and not believed', async () => {
  assert.equal(await seen('127.0.0.5', '203.0.113.1'), '127.0.0.5')
  assert.equal(await seen('127.0.0.5', balancer, { 'x-forwarded-for': '203.0.113.2' }), '127.0.0.5')
})

test('behind two trusted proxies the client is in X-Forwarded-For', async () => {
  assert.equal(await seen(balancer, contentNetwork, { 'x-forwarded-for': '203.0.113.3' }), '203.0.113.3')
  assert.equal(await seen(balancer, contentNetwork), contentNetwork)
})

test('a connection without the PROXY protocol is closed', async () => {
  const socket = connect({ port: gateway.ports.site, host: '127.0.0.1', localAddress: balancer })
  socket.on('error', () => undefined).resume()
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await closed
  assert.equal(socket.bytesRead, 0)
})

test('connections are counted by the client that the PROXY protocol names', async () => {
  const open = new Set<Socket>()
  const hold = (client: string) => {
    const socket = connect({ port: gateway.ports.site, host: '127.0.0.1', localAddress: balancer })
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    socket.resume().write(`${startOf(client)}GET / HTTP/1.1\r\nHost: loc`)
  }
  try {
    for (let index = 0; index < 20; index += 1) hold(`2001:db8:0:1::${index}`)
    await waitFor(async () => open.size <= limits.connections, 'the connections above the limit to be closed')
    assert.equal(open.size, limits.connections)
    const page = (client: string) => gateway.ask(balancer, 'site', '/', { before: startOf(client) })
    assert.equal((await page('2001:db8:0:2::1')).status, 200)
    await assert.rejects(page('2001:db8:0:1::1'), 'a client of the same network')
  } finally {
    for (const socket of open) socket.destroy()
  }
})

test('connections of a proxy that sends X-Forwarded-For are not counted', async () => {
  await using plain = await serveWithDoors({ limits, trustedProxies: [balancer] })
  const hold = (localAddress: string) =>
    Array.from({ length: 20 }, () => {
      const socket = connect({ port: plain.ports.site, host: '127.0.0.1', localAddress })
      socket.on('error', () => undefined).resume()
      socket.write('GET / HTTP/1.1\r\nHost: loc')
      return socket
    })
  const [trusted, others] = [hold(balancer), hold('127.0.0.5')]
  const openOf = (sockets: Socket[]) => sockets.filter((socket) => !socket.closed).length
  try {
    await waitFor(async () => openOf(others) === limits.connections, 'the connections above the limit to be closed')
    assert.equal((await plain.ask(balancer, 'site', '/')).status, 200)
    assert.equal(openOf(trusted), 20)
  } finally {
    for (const socket of [...trusted, ...others]) socket.destroy()
  }
})
