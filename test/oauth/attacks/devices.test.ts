import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { usualLimits } from '../../../src/bin/gateway/limit-values.ts'
import { deviceGrant } from '../../../src/oauth/clients/client-metadata.ts'
import { oauthPurges } from '../../../src/oauth/sessions.ts'
import { openOwnerBrowser } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { serveWithDoors } from '../../support/http/gateway.ts'
import { atOnce, countRows, renew, seedVictim, statusWith, type Victim } from '../../support/oauth/attack.ts'
import { postForm, register } from '../../support/oauth/sign-in.ts'

let service: Service
let victim: Victim
let clientId: string
before(async () => {
  service = await startService()
  victim = await seedVictim(service)
  clientId = await newDeviceClient()
})
after(() => service?.[Symbol.asyncDispose]())

const newDeviceClient = async () =>
  (await register(service, { client_name: 'Terminal', redirect_uris: undefined, grant_types: [deviceGrant] })).body
    .client_id

type Device = { device_code: string; user_code: string; interval: number; verification_uri: string }

const startDevice = async (): Promise<Device> =>
  (await postForm(service, '/oauth/device', { client_id: clientId })).body as Device

const poll = (device_code: string, client_id = clientId) =>
  postForm(service, '/oauth/token', { grant_type: deviceGrant, device_code, client_id })

/** The owner enters the code and decides. */
async function decide({ browser }: Victim, user_code: string, decision = 'allow') {
  await browser.get('/device')
  const entered = await browser.submit('/device', { code: user_code })
  assert.equal(entered.status, 303, entered.page)
  await browser.get(String(entered.location))
  return browser.submit(String(entered.location), { decision, posting: 'read', cap: '' })
}

suite('guessing user codes (RFC 8628, section 5.1)', () => {
  test('a code has eight letters of 20, and a guess says nothing about codes', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, startDevice))
    for (const { user_code } of codes) assert.match(user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.equal(new Set(codes.map(({ user_code }) => user_code)).size, 20)
    const browser = openOwnerBrowser(service)
    const used = await startDevice()
    await decide(victim, used.user_code)
    const answers = new Set<string>()
    for (const code of ['BBBB-BBBB', 'ZZZZ-ZZZZ', used.user_code, 'x', '%', "' or true", 'ＢＢＢＢ-ＢＢＢＢ', '\0']) {
      const { status, location, page } = await browser.submit('/device', { code })
      answers.add(JSON.stringify([status, location, page.replaceAll(/value="[^"]*"/g, '')]))
    }
    assert.equal(answers.size, 1)
    assert.match([...answers].join(), /^\[422,null,/)
  })

  test('the gateway lets one address guess about 30 times at once, and 30 times a minute after that', async () => {
    await using gateway = await serveWithDoors({ limits: usualLimits })
    const form = {
      method: 'POST',
      body: 'code=BBBB-BBBB',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    const answers = await atOnce(100, () => gateway.ask('127.0.0.1', 'owner', '/device', form))
    const passed = answers.filter(({ status }) => status === 200).length
    assert.ok(passed <= 35, `${passed} guesses passed at once`)
  })

  test('a code works for 15 minutes and until it is decided', async () => {
    const late = await startDevice()
    service.clock.setOffset(901_000)
    assert.equal((await openOwnerBrowser(service).submit('/device', { code: late.user_code })).status, 422)
    assert.equal((await poll(late.device_code)).body.error, 'expired_token')
    service.clock.setOffset(0)
    const device = await startDevice()
    await decide(victim, device.user_code, 'deny')
    assert.equal((await openOwnerBrowser(service).submit('/device', { code: device.user_code })).status, 422)
    assert.equal((await poll(device.device_code)).body.error, 'access_denied')
  })
})

suite('phishing with a device (RFC 8628, section 5.4)', () => {
  test('a link with the code in it decides nothing: the person submits it, sees the app and is warned', async () => {
    const { user_code } = await startDevice()
    const { page, location } = await victim.browser.get(`/device?code=${user_code}`)
    assert.equal(location, null)
    assert.match(page, /only if you started this yourself/)
    assert.doesNotMatch(page, /Terminal/)
    const entered = await victim.browser.submit('/device', { code: user_code })
    const consent = await victim.browser.get(String(entered.location))
    assert.match(consent.page, /Continue only if you started this yourself/)
    assert.match(consent.page, /“<bdi>Terminal<\/bdi>”, as it calls itself/)
    assert.match(consent.page, /another device <span class="badge warn">not verified/)
  })

  test('the code in the link is only text on the page', async () => {
    for (const code of ['"><script>alert(1)</script>', "'><img src=x>", '\u202e', 'x'.repeat(5_000)]) {
      const { page, status } = await victim.browser.get(`/device?code=${encodeURIComponent(code)}`)
      assert.equal(status, 200)
      assert.doesNotMatch(page, /<script>alert|<img|x{21}/)
    }
  })

  test('an app that has not registered the grant cannot use it', async () => {
    const { body } = await register(service)
    const { status, body: answer } = await postForm(service, '/oauth/device', { client_id: body.client_id })
    assert.deepEqual([status, answer.error], [400, 'unauthorized_client'])
    for (const client_id of ['client_unknown', 'client_\0', 'https://127.0.0.1/client.json'])
      assert.ok(
        ['invalid_client', 'invalid_request'].includes(
          (await postForm(service, '/oauth/device', { client_id })).body.error,
        ),
      )
  })
})

suite('polling (RFC 8628, section 3.5)', () => {
  test('polling too fast is slowed down more each time', async () => {
    const { device_code, interval } = await startDevice()
    assert.equal(interval, 5)
    assert.equal((await poll(device_code)).body.error, 'authorization_pending')
    for (const seconds of [10, 15, 20]) {
      const { body } = await poll(device_code)
      assert.deepEqual([body.error, body.error_description], ['slow_down', `Ask at most every ${seconds} seconds.`])
    }
    service.clock.setOffset(19_000)
    assert.equal((await poll(device_code)).body.error, 'slow_down')
    service.clock.setOffset(45_000)
    assert.equal((await poll(device_code)).body.error, 'authorization_pending')
    service.clock.setOffset(0)
  })

  test('a device code is worth nothing to another client, and its hash or user code to nobody', async () => {
    const device = await startDevice()
    await decide(victim, device.user_code)
    const other = await newDeviceClient()
    assert.equal((await poll(device.device_code, other)).body.error, 'invalid_grant')
    for (const code of [device.user_code, `${device.device_code}x`, 'bsd_', 'x'])
      assert.equal((await poll(code)).body.error, 'invalid_grant')
    assert.equal((await poll(device.device_code)).status, 200)
  })

  test('of 30 polls at once one gets tokens, and a second use ends them', async () => {
    const device = await startDevice()
    await decide(victim, device.user_code)
    const answers = await atOnce(30, () => poll(device.device_code))
    const [first, ...others] = answers.filter(({ status }) => status === 200)
    assert.ok(first && others.length === 0)
    assert.equal(await statusWith(service, first.body.access_token), 401)
    assert.equal((await renew(service, clientId, first.body.refresh_token)).status, 400)
  })

  test('a code that was approved but not fetched in its time gives nothing', async () => {
    const device = await startDevice()
    await decide(victim, device.user_code)
    service.clock.setOffset(901_000)
    assert.equal((await poll(device.device_code)).body.error, 'expired_token')
    service.clock.setOffset(0)
  })

  test('a device code is not an authorization code', async () => {
    const device = await startDevice()
    await decide(victim, device.user_code)
    const form = { grant_type: 'authorization_code', code: device.device_code, client_id: clientId }
    const { body } = await postForm(service, '/oauth/token', { ...form, redirect_uri: 'x', code_verifier: 'x' })
    assert.equal(body.error, 'invalid_grant')
  })
})

suite('floods (RFC 7591, section 5)', () => {
  const json = { 'content-type': 'application/json' }

  test('the gateway answers 429 to an address that registers too many apps, and serves others', async () => {
    await using gateway = await serveWithDoors({ limits: usualLimits })
    const send = (from: string) =>
      gateway.ask(from, 'owner', '/oauth/register', { method: 'POST', body: '{}', headers: json })
    const answers = await atOnce(40, () => send('127.0.0.1'))
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 40 - usualLimits.appRegistrations.burst - 2, `${refused.length} refused`)
    assert.equal((await send('127.0.0.9')).status, 200)
    assert.equal((await gateway.ask('127.0.0.1', 'owner', '/oauth/token', { method: 'POST' })).status, 200)
  })

  test('requests that nobody decides, and clients that nobody connects, are deleted', async () => {
    await startDevice()
    const later = new Date(service.clock.now().getTime() + 3 * 86_400_000)
    for (const purge of Object.values(oauthPurges)) await purge(service.workerDb, later)
    assert.equal(await countRows(service, 'oauth_requests'), 0)
  })
})
