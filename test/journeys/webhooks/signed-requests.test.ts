import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { component, verifySignature } from 'http-message-sig'
import { findDirectoryKey } from '../../../src/platform/http-signatures/directory.ts'
import { isSignedBy } from '../../../src/platform/http-signatures/jwk-keys.ts'
import { openWebhookFixture, type WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'
import { answering, type Received, receiverHost } from '../../support/webhooks/webhook-receiver.ts'

const directoryPath = '/.well-known/http-message-signatures-directory'

let fixture: WebhookFixture
before(async () => {
  fixture = await openWebhookFixture()
})
after(() => fixture[Symbol.asyncDispose]())

const fieldsOf = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }))

/** Checks a delivery as a receiver does: with a library, and the keys at the address that the delivery names. */
async function verifyDelivery({ headers, body }: Received, path: string) {
  const { accountPageUrl, clock } = fixture.service
  const agent = /^sig1="([^"]+)"$/.exec(String(headers['signature-agent']))?.[1] ?? ''
  assert.equal(agent, `${accountPageUrl}${directoryPath}`)
  const published = Buffer.from(await (await fetch(agent)).arrayBuffer())
  return verifySignature(
    {
      kind: 'request',
      method: 'POST',
      targetUri: `https://${receiverHost}${path}`,
      fields: fieldsOf(headers),
    },
    {
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: [
          ...['@method', '@authority', '@path', 'content-digest'],
          component('signature-agent', { key: 'sig1' }),
        ],
        requiredParameters: ['created', 'expires', 'keyid', 'nonce', 'tag'],
        now: clock.now().getTime() / 1_000,
        validate: async ({ parameters }) => {
          const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(body))).toString('base64')
          assert.equal(headers['content-digest'], `sha-256=:${digest}:`)
          return parameters.tag === 'web-bot-auth'
        },
      },
      resolveVerifier: ({ parameters }) => {
        const key = findDirectoryKey(published, String(parameters.keyid))
        return {
          algorithm: 'ed25519',
          verify: (data, signature) => isSignedBy(key, Buffer.from(data), Buffer.from(signature)),
        }
      },
    },
  )
}

test('a receiver can verify each attempt of a delivery with the published key, and each is signed afresh', async () => {
  const { account } = await fixture.subscribe('/signed')
  fixture.receiver.on('/signed', answering(500))
  await fixture.announce(account)
  const [first] = await fixture.receiver.untilReceived('/signed', 1)
  await fixture.service.settle()
  const before = await verifyDelivery(first as Received, '/signed')
  fixture.pass(60)
  const [, second] = await fixture.receiver.untilReceived('/signed', 2)
  const after = await verifyDelivery(second as Received, '/signed')
  assert.notEqual(after.parameters.nonce, before.parameters.nonce)
  assert.ok(Number(after.parameters.created) >= Number(before.parameters.created) + 59)
  assert.equal(Number(after.parameters.expires), Number(after.parameters.created) + 60)
  assert.ok(second?.headers['webhook-signature'], 'the signature by the endpoint’s secret stays')
})

test('the gateway serves the keys with the signature of their server', async () => {
  const { accountPageUrl, clock } = fixture.service
  const response = await fetch(`${accountPageUrl}${directoryPath}`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/http-message-signatures-directory+json')
  assert.equal(response.headers.get('cache-control'), 'public, max-age=3600')
  const body = Buffer.from(await response.arrayBuffer())
  const { keys } = JSON.parse(body.toString()) as { keys: { kid: string; d?: string }[] }
  assert.equal(keys.length, 1)
  assert.equal(keys[0]?.d, undefined)
  const verified = await verifySignature(
    {
      kind: 'response',
      status: 200,
      fields: fieldsOf(Object.fromEntries(response.headers)),
      request: { kind: 'request', method: 'GET', targetUri: `${accountPageUrl}${directoryPath}`, fields: [] },
    },
    {
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: [component('@authority', { req: true }), 'content-digest'],
        requiredParameters: ['created', 'expires', 'keyid', 'tag'],
        now: clock.now().getTime() / 1_000,
      },
      resolveVerifier: ({ parameters }) => {
        const key = findDirectoryKey(body, String(parameters.keyid))
        return { algorithm: 'ed25519', verify: (data, made) => isSignedBy(key, Buffer.from(data), Buffer.from(made)) }
      },
    },
  )
  assert.equal(verified.parameters.tag, 'http-message-signatures-directory')
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('base64')
  assert.equal(response.headers.get('content-digest'), `sha-256=:${digest}:`)
})
