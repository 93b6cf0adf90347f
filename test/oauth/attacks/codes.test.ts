import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import {
  atOnce,
  connect,
  countRows,
  exchange,
  exchangeForm,
  grantCode,
  renew,
  seedVictim,
  startFlow,
  statusWith,
  type Victim,
} from '../../support/oauth/attack.ts'
import { authorizeQuery, newPkce, register } from '../../support/oauth/sign-in.ts'

let service: Service
let victim: Victim
before(async () => {
  service = await startService()
  victim = await seedVictim(service)
})
after(() => service?.[Symbol.asyncDispose]())

const refused = async (form: Record<string, string>, error = 'invalid_grant') => {
  const { status, body } = await exchange(service, form)
  assert.deepEqual([status, body.error], [400, error], JSON.stringify(body))
  assert.ok(!('access_token' in body))
}

suite('authorization code injection (RFC 9700, section 4.5)', () => {
  test('a code of one client is worth nothing to another client', async () => {
    const { form } = await grantCode(service, victim.browser)
    const other = await register(service, { client_name: 'Attacker' })
    await refused({ ...form, client_id: other.body.client_id })
    assert.equal((await exchange(service, form)).status, 200, 'the attempt does not use up the code')
  })

  test('a stolen code fails with the verifier of the attacker’s own request', async () => {
    const { form } = await grantCode(service, victim.browser)
    await refused({ ...form, code_verifier: newPkce().verifier })
  })

  test('a code that is injected into another flow of the same client fails there', async () => {
    const first = await grantCode(service, victim.browser)
    const attacker = await seedVictim(service)
    const second = await grantCode(service, attacker.browser, { clientId: first.clientId })
    await refused({ ...second.form, code: first.code })
    await refused({ ...first.form, code: second.code })
  })

  test('a code must be exchanged with the address that it was sent to', async () => {
    const { form } = await grantCode(service, victim.browser)
    for (const redirect_uri of [
      'http://127.0.0.1:8888/callback',
      'http://127.0.0.1:7777/callback/',
      'http://localhost:7777/callback',
    ])
      await refused({ ...form, redirect_uri })
    await refused({ ...form, redirect_uri: '' }, 'invalid_request')
  })

  test('a code works for 60 seconds and not a second longer', async () => {
    const [early, late] = [await grantCode(service, victim.browser), await grantCode(service, victim.browser)]
    service.clock.setOffset(59_000)
    assert.equal((await exchange(service, early.form)).status, 200)
    service.clock.setOffset(61_000)
    await refused(late.form)
    service.clock.setOffset(0)
  })

  test('an invented code, a request id and a hash in place of a code are refused', async () => {
    const { form, code, request } = await grantCode(service, victim.browser)
    const hash = createHash('sha256').update(code).digest('base64url')
    for (const invented of ['A'.repeat(43), request, hash, `${code}A`, code.slice(1), "' or true --"])
      await refused({ ...form, code: invented })
  })

  test('an open request has no code yet', async () => {
    const flow = await startFlow(service, victim.browser)
    await refused(exchangeForm(flow, flow.request))
  })
})

suite('PKCE downgrade (RFC 9700, section 4.8.2; RFC 7636)', () => {
  test('a request without a SHA-256 challenge is refused, with its state and issuer', async () => {
    const { body: client } = await register(service)
    const pkce = newPkce()
    const attempts: Record<string, Record<string, unknown>> = {
      'no challenge': { code_challenge: undefined },
      'neither challenge nor method': { code_challenge: undefined, code_challenge_method: undefined },
      'the method plain': { code_challenge_method: 'plain' },
      'no method, which means plain': { code_challenge_method: undefined },
      'an empty method': { code_challenge_method: '' },
      'the method in lower case': { code_challenge_method: 's256' },
      'another hash': { code_challenge_method: 'S512' },
      'an empty challenge': { code_challenge: '' },
      'a short challenge': { code_challenge: pkce.challenge.slice(1) },
      'a long challenge': { code_challenge: `${pkce.challenge}A` },
      'a challenge with padding': { code_challenge: `${pkce.challenge}=` },
      'a challenge in plain base64': { code_challenge: `+${pkce.challenge.slice(1)}` },
      'the verifier with other characters': { code_challenge: `${pkce.challenge.slice(1)}\n` },
    }
    for (const [what, changes] of Object.entries(attempts)) {
      const query = authorizeQuery(service, { clientId: client.client_id, pkce, ...changes })
      const { status, location } = await victim.browser.get(`/oauth/authorize?${query}`)
      const sent = new URL(String(location)).searchParams
      assert.deepEqual([status, sent.get('error'), sent.get('code')], [303, 'invalid_request', null], what)
      assert.equal(sent.get('iss'), service.accountPageUrl)
    }
  })

  test('a code cannot be exchanged without its verifier, or with a malformed one', async () => {
    const { form, pkce } = await grantCode(service, victim.browser)
    const { code_verifier: _, ...without } = form
    await refused(without, 'invalid_request')
    await refused({ ...form, code_verifier: '' }, 'invalid_request')
    const { verifier, challenge } = pkce
    for (const wrong of [challenge, verifier.slice(1), `${verifier}A`, ` ${verifier}`, `${verifier}\n`, '*'.repeat(43)])
      await refused({ ...form, code_verifier: wrong })
  })

  test('a verifier that is too short or too long is refused, even if its hash matches', async () => {
    for (const verifier of ['short', 'a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}é`]) {
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const { form } = await grantCode(service, victim.browser, { changes: { code_challenge: challenge } })
      await refused({ ...form, code_verifier: verifier })
    }
  })
})

suite('code replay (RFC 6749, section 4.1.2; RFC 9700, section 4.5)', () => {
  test('the second use of a code fails and ends every token of the first', async () => {
    const { form, access, refresh, clientId } = await connect(service, victim.browser)
    assert.equal(await statusWith(service, access), 200)
    await refused(form)
    assert.equal(await statusWith(service, access), 401)
    assert.equal((await renew(service, clientId, refresh)).body.error, 'invalid_grant')
    const [key] = await service.asOwner<{ revoked: boolean }>(
      'select revoked_at is not null as revoked from api_keys where client_id = $1',
      [clientId],
    )
    assert.ok(key?.revoked, 'the app is disconnected')
  })

  test('tokens that were renewed since also end when the code is replayed', async () => {
    const { form, refresh, clientId } = await connect(service, victim.browser)
    const { body } = await renew(service, clientId, refresh)
    await refused(form)
    assert.equal(await statusWith(service, body.access_token), 401)
    assert.equal((await renew(service, clientId, body.refresh_token)).status, 400)
  })

  test('of 30 exchanges at once exactly one gets tokens, and they end', async () => {
    const { form, clientId } = await grantCode(service, victim.browser)
    const answers = await atOnce(30, () => exchange(service, form))
    const [first, ...others] = answers.filter(({ status }) => status === 200)
    assert.deepEqual(others, [])
    assert.ok(first)
    assert.equal(await statusWith(service, first.body.access_token), 401)
    assert.equal((await renew(service, clientId, first.body.refresh_token)).status, 400)
    assert.equal(await countRows(service, 'oauth_sessions where client_id = $1', [clientId]), 0)
  })

  test('the replay of one code does not end another connection of the same app', async () => {
    const first = await connect(service, victim.browser)
    const second = await connect(service, victim.browser, { clientId: first.clientId })
    await refused(first.form)
    assert.equal(await statusWith(service, first.access), 401)
    assert.equal(await statusWith(service, second.access), 200)
  })
})
