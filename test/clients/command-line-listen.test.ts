import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { runCommandLine, startCommandLine } from '../../tooling/clients/command-line.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { kindNamed } from '../support/posts/create-post.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhook-receiver.ts'

let service: Service
let registered: WebhookReceiver
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>

before(async () => {
  registered = await startWebhookReceiver()
  const { zone, authorities } = registered
  service = await startService({
    judges: true,
    receivers: { zone, certificateAuthorities: authorities },
    streamTiming: { lookMs: 20, ownLookMs: 20, careMs: 100, blockedMs: 1_000 },
  })
  folder = await mkdtempDisposable(join(tmpdir(), 'broadside-listen-'))
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await registered[Symbol.asyncDispose]()
  await folder.remove()
})

type Delivery = { headers: IncomingHttpHeaders; body: string }

/** A webhook receiver. `answer` gets the number of the request and returns its status; undefined never responds. */
async function startReceiver(answer: (request: number) => number | undefined = () => 204) {
  const received: Delivery[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    received.push({ headers: request.headers, body })
    const status = answer(received.length)
    if (status !== undefined) response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?from=here`
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, received, [Symbol.asyncDispose]: close }
}

async function userOf() {
  const account = await service.createCustomer()
  const env = {
    XDG_CONFIG_HOME: join(folder.path, crypto.randomUUID()),
    BROADSIDE_URL: service.baseUrl,
    BROADSIDE_API_KEY: account.api_key,
  }
  const publish = () => publishAsModel(service, { kind: kindNamed('message'), accountId: account.id })
  // Listening starts at a known event, so that nothing depends on when the process connects.
  await publish()
  const { body } = await account.client.listEvents()
  return { account, env, publish, start: String(body.data.at(-1)?.id) }
}

test('events arrive at the receiver in order, with the body and the signature of a webhook', async () => {
  const { account, env, publish, start } = await userOf()
  await using receiver = await startReceiver()
  await using listening = startCommandLine(['listen', '--forward-to', receiver.url, '--after', start], { env })
  const [, secret = ''] = await listening.until('stderr', /^Signing secret: (whsec_\S+)$/m)
  const posts = [await publish(), await publish(), await publish()]
  await waitFor(async () => receiver.received.length >= 3, 'three deliveries')
  const verified = receiver.received.map(({ headers, body }) => {
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['user-agent'], 'Broadside-Webhooks/1')
    return new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; data: { id: string } }
  })
  assert.deepEqual(
    verified.map(({ type, data }) => `${type} ${data.id}`),
    posts.map((id) => `post.published ${id}`),
  )
  const { body } = await account.client.listEvents({ after: start })
  assert.deepEqual(
    receiver.received.map((delivery) => ({ id: delivery.headers['webhook-id'], ...JSON.parse(delivery.body) })),
    body.data,
  )
  for (const id of posts)
    await listening.until(
      'stdout',
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}post\\.published {2}${id} {2}204 \\d+ ms$`, 'm'),
    )
  listening.child.kill('SIGINT')
  const { code, stderr } = await listening.ended
  assert.equal(code, 0)
  assert.match(stderr, new RegExp(`--after ${body.data.at(-1)?.id}`))
})

test('a forwarded event is the same as the delivery to a registered endpoint, apart from the signature of the request', async () => {
  const { account, env, publish, start } = await userOf()
  await account.client.createWebhook({ url: registered.url('/same') })
  await using receiver = await startReceiver()
  await using _listening = startCommandLine(['listen', '--forward-to', receiver.url, '--after', start], { env })
  await publish()
  const [delivered] = await registered.untilReceived('/same', 1)
  await waitFor(async () => receiver.received.length >= 1, 'the forwarded event')
  const [forwarded] = receiver.received
  assert.equal(forwarded?.body, delivered?.body)
  const own = /^(host|connection|webhook-(timestamp|signature))$/
  for (const [name, value] of Object.entries(delivered?.headers ?? {}))
    if (!own.test(name)) assert.equal(forwarded?.headers[name], value, name)
})

test('an event that the receiver refuses is sent again before the next one, and none is lost', async () => {
  const { env, publish, start } = await userOf()
  await using receiver = await startReceiver((request) => (request === 1 ? 500 : request === 2 ? 302 : 200))
  const args = ['listen', '--forward-to', receiver.url, '--after', start, '--json']
  await using listening = startCommandLine(args, { env })
  const posts = [await publish(), await publish()]
  await waitFor(async () => receiver.received.length >= 4, 'four attempts')
  const [first, second] = posts
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).data.id),
    [first, first, first, second],
  )
  assert.equal(new Set(receiver.received.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size, 1)
  await listening.until('stdout', new RegExp(`${second}.*\\n$`))
  const lines = listening.output.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ event, attempt, status, delivered, will_retry }) => [
      event.data.id,
      attempt,
      status,
      delivered,
      will_retry,
    ]),
    [
      [first, 1, 500, false, true],
      [first, 2, 302, false, true],
      [first, 3, 200, true, false],
      [second, 1, 200, true, false],
    ],
  )
})

test('the secret is made once and is the same every time', async () => {
  const { env } = await userOf()
  const print = async (...more: string[]) =>
    (await runCommandLine(['listen', '--print-secret', ...more], { env })).stdout
  const secret = (await print()).trim()
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal((await print()).trim(), secret)
  assert.deepEqual(JSON.parse(await print('--json')), { secret })
  const { code } = await runCommandLine(['logout'], { env })
  assert.equal(code, 0)
  assert.equal((await print()).trim(), secret)
})

test('without a receiver, each attempt says why and when the next one is', async () => {
  const { env, publish, start } = await userOf()
  await using receiver = await startReceiver()
  await receiver[Symbol.asyncDispose]()
  await using listening = startCommandLine(['listen', '--forward-to', receiver.url, '--after', start], { env })
  await publish()
  await listening.until('stdout', /ECONNREFUSED \d+ ms {2}retry in 1 s\n.*ECONNREFUSED \d+ ms {2}retry in 3 s\n/)
})
