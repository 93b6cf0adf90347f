import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { browserAccept, type ServedWithDoors, serveWithDoors } from '../../../test/support/http/gateway.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { usualLimits } from './limit-values.ts'

/** No test reaches these timeouts. */
const limits = { ...usualLimits, headerSeconds: 600, bodySeconds: 600 }

const attacker = '127.0.0.2'
const reader = '127.0.0.3'

let gateway: ServedWithDoors
before(async () => {
  gateway = await serveWithDoors({ limits })
})
after(() => gateway?.[Symbol.asyncDispose]())

const held = new Set<Socket>()
afterEach(async () => {
  for (const socket of held) socket.destroy()
  // The gateway counts a connection until it has noticed its end.
  await waitFor(
    async () => (await gateway.ask(attacker, 'site', '/').catch(() => null))?.status === 200,
    'a free place',
  )
})

/** Opens a connection and keeps it open. Resolves when the bytes are sent or the gateway has closed the connection. */
async function hold(port: number, bytes: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: attacker })
  held.add(socket)
  socket.on('error', () => undefined).on('close', () => held.delete(socket))
  socket.resume()
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.once('connect', () => socket.write(bytes, () => resolve()))
  })
}

async function holdMany(count: number, port: number, bytes: string): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => hold(port, bytes)))
  await waitFor(async () => held.size <= limits.connections, 'the gateway to close the connections above the limit')
}

async function assertOthersAreServed() {
  for (const [where, path] of [
    ['site', '/'],
    ['site', '/v1/status'],
    ['owner', '/'],
    ['desk', '/'],
  ] as const)
    assert.equal((await gateway.ask(reader, where, path)).status, 200, `${where}${path}`)
}

test('one address with half-sent headers cannot deny pages or the API to another', async () => {
  await holdMany(4_300, gateway.ports.site, 'GET / HTTP/1.1\r\nHost: loc')
  assert.equal(held.size, limits.connections)
  await assertOthersAreServed()
  // The others did not have to wait for the connections to end.
  assert.equal(held.size, limits.connections)
})

const bodies: [where: 'site' | 'owner' | 'desk', path: string, bytes: number][] = [
  ['owner', '/sign-in', 250 * 1_024],
  ['owner', '/sign-in', 15 * 1_024],
  ['owner', '/payments/events', 500 * 1_024],
  ['desk', '/next', 15 * 1_024],
  ['site', '/v1/posts', 250 * 1_024],
  ['site', '/', 250 * 1_024],
]

for (const [where, path, bytes] of bodies)
  test(`one address with stalled bodies of ${bytes} bytes at ${where}${path} denies nothing to another and little memory is used`, async () => {
    const before = memoryBytes()
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${gateway.ports[where]}\r\nContent-Length: ${bytes}\r\n\r\n`
    await holdMany(1_000, gateway.ports[where], head + 'x'.repeat(bytes - 1))
    await assertOthersAreServed()
    const grown = memoryBytes() - before
    assert.ok(grown < 64 * 1024 * 1024, `nginx grew by ${grown} bytes`)
  })

test('reading has no rate limit', async () => {
  const paths = Array.from({ length: 2_000 }, (_, index) => (index % 2 === 0 ? '/' : '/p/'))
  const statuses = new Set<number>()
  for (let at = 0; at < paths.length; at += 50) {
    const answers = await Promise.all(paths.slice(at, at + 50).map((path) => gateway.ask(reader, 'site', path)))
    for (const { status } of answers) statuses.add(status)
  }
  assert.deepEqual([...statuses].sort(), [200, 404])
})

test('a page stays readable when the API refuses everything', async () => {
  const asked = Array.from({ length: 20 }, () => gateway.ask(attacker, 'site', '/v1/fails'))
  assert.deepEqual([...new Set((await Promise.all(asked)).map(({ status }) => status))], [503])
  assert.equal((await gateway.ask(reader, 'site', '/')).body, 'the front page')
})

test('a form of 17 KB gets a page that says so, at the owner page and at the desk', async () => {
  for (const where of ['owner', 'desk'] as const) {
    const { status, headers, body } = await gateway.ask(reader, where, '/sign-in', {
      method: 'POST',
      body: 'x'.repeat(17 * 1_024),
      headers: { accept: browserAccept },
    })
    assert.deepEqual([status, headers.get('content-type')], [413, 'text/html; charset=utf-8'])
    assert.match(body, /This form is too large[\s\S]*at most 16 KB/)
    const fitting = { method: 'POST', body: 'x'.repeat(16 * 1_024) }
    assert.equal((await gateway.ask(reader, where, '/sign-in', fitting)).status, 200)
  }
})

test('events of the payment provider can have 512 KB, and a larger one gets a problem document', async () => {
  const send = (bytes: number) =>
    gateway.ask(reader, 'owner', '/payments/events', { method: 'POST', body: 'x'.repeat(bytes) })
  assert.equal((await send(512 * 1_024)).status, 200)
  const refused = await send(512 * 1_024 + 1)
  assert.deepEqual([refused.status, JSON.parse(refused.body).code], [413, 'body_too_large'])
  const onAccountHost = { method: 'POST', body: 'x'.repeat(100 * 1_024) }
  assert.equal((await gateway.ask(reader, 'owner', '/v1/manage/keys', onAccountHost)).status, 200)
})

/** The resident memory of the workers of this nginx. */
function memoryBytes(): number {
  const main = Number(readFileSync(join(gateway.folder, 'nginx/nginx.pid'), 'utf8'))
  const workers = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && readStatus(pid, 'PPid') === main)
  return workers.reduce((sum, pid) => sum + readStatus(pid, 'VmRSS') * 1_024, 0)
}

function readStatus(pid: string, name: string): number {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    // The process has ended.
    return Number.NaN
  }
}
