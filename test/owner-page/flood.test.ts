import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualLimits } from '../../src/bin/gateway/limit-values.ts'
import { startService } from '../../tooling/environment/service.ts'
import { quietPort } from '../../tooling/services/state.ts'
import { browserAccept, serveWithDoors } from '../support/http/gateway.ts'

test('a flood of requests for links from one address leaves few emails to send, and another address gets its own', async () => {
  await using service = await startService()
  const { host, port } = new URL(service.accountPageUrl)
  // The service's own gateway allows tests everything, so one with the usual limits stands before it.
  const ownerPage = { port: await quietPort(), baseUrl: service.accountPageUrl, upstreamPort: Number(port) }
  await using gateway = await serveWithDoors({ ownerPage, limits: usualLimits })
  const askForLink = (from: string, email: string) =>
    gateway.ask(from, 'owner', '/find-account', {
      method: 'POST',
      body: new URLSearchParams({ email }).toString(),
      headers: {
        host,
        origin: service.accountPageUrl,
        accept: browserAccept,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
  const statuses: number[] = []
  for (let index = 0; index < 200; index += 1)
    statuses.push((await askForLink('127.0.0.2', `stranger-${index}@example.com`)).status)
  const accepted = statuses.filter((status) => status === 303).length
  assert.equal(statuses.filter((status) => status === 429).length, statuses.length - accepted)
  // The first come at once. After that a slow machine gets one more every ten seconds.
  assert.deepEqual(statuses.slice(0, 11), new Array(11).fill(303))
  assert.ok(accepted < 50, `${accepted} were accepted`)

  assert.equal((await askForLink('127.0.0.3', 'owner@example.com')).status, 303)
  const mails = await service.asOwner<{ email: string }>('select email from owner_link_mails order by id')
  assert.equal(mails.length, accepted + 1)
  assert.equal(mails.at(-1)?.email, 'owner@example.com')
})
