import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { findApp } from '../../../src/oauth/find-app.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import {
  atOnce,
  connect,
  countRows,
  exchange,
  grantCode,
  renew,
  seedVictim,
  startFlow,
  statusWith,
  type Victim,
} from '../../support/oauth/attack.ts'
import { callMcpTool } from '../../support/oauth/mcp-call.ts'
import { postForm } from '../../support/oauth/sign-in.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

const keyOf = async (clientId: string) => {
  const [key] = await service.asOwner<{ id: string }>(
    'select id from api_keys where client_id = $1 and revoked_at is null',
    [clientId],
  )
  return String(key?.id)
}

const change = async ({ owner }: Victim, clientId: string, scope: string) => {
  const response = await owner.post(`/account/keys/${await keyOf(clientId)}`, { name: 'App', scope, cap: '' })
  assert.equal(response.status, 303, await response.text())
}

const disconnect = async ({ owner }: Victim, clientId: string) =>
  assert.equal((await owner.post(`/account/keys/${await keyOf(clientId)}/revoke`)).status, 303)

const setStanding = ({ accountId }: Victim, standing: string) =>
  service.asOwner('update accounts set standing = $1 where id = $2', [standing, accountId])

const close = ({ accountId }: Victim) =>
  service.asOwner('select close_account($1, $2)', [accountId, service.clock.now()])

const post = { kind: 'message', text: 'The ferry leaves at eight tomorrow because of the tide.' }
const call = (bearer: string, name: string, given: object = {}) =>
  callMcpTool(`${service.accountPageUrl}/mcp`, { bearer, name, given })

/** The code of the problem that the tool answers with; null if it works. */
async function problemOf(bearer: string, name = 'publish_post', given: object = post): Promise<string | null> {
  const { status, text, result } = await call(bearer, name, given)
  if (status !== 200) return (JSON.parse(text) as { code: string }).code
  return result?.isError ? (JSON.parse(result.content?.[0]?.text ?? '') as { code: string }).code : null
}

suite('an owner who narrows an app', () => {
  test('to reading, from the next call on, and renewing does not widen it', async () => {
    const victim = await seedVictim(service)
    const { access, refresh, clientId } = await connect(service, victim.browser, {
      changes: { scope: 'read publish webhooks account' },
      choice: { posting: 'publish', webhooks: 'on', account: 'on' },
    })
    assert.equal(await problemOf(access), null)
    await change(victim, clientId, 'read')
    assert.equal(await problemOf(access), 'insufficient_scope')
    const renewed = (await renew(service, clientId, refresh)).body
    assert.equal(await problemOf(renewed.access_token), 'insufficient_scope')
    assert.equal(await problemOf(renewed.access_token, 'get_account', {}), null)
  })

  test('before the app exchanges its code', async () => {
    const victim = await seedVictim(service)
    const { form, clientId } = await grantCode(service, victim.browser, { choice: { posting: 'publish' } })
    await change(victim, clientId, 'read')
    const { body } = await exchange(service, form)
    assert.equal(await problemOf(body.access_token), 'insufficient_scope')
  })

  test('from publishing to drafts, and a token for reading never becomes one for posting', async () => {
    const victim = await seedVictim(service)
    const { access, clientId, refresh } = await connect(service, victim.browser, { choice: { posting: 'publish' } })
    const reader = (await renew(service, clientId, refresh, { scope: 'read' })).body
    await change(victim, clientId, 'publish_with_approval')
    const resource = `${service.accountPageUrl}/mcp`
    const app = await findApp(service, access, resource)
    assert.deepEqual([app?.needsApproval, app?.scopes], [true, ['read', 'publish_with_approval']])
    assert.equal(await problemOf(access), null)
    assert.equal(await countRows(service, 'posts where account_id = $1', [victim.accountId]), 0, 'it is a draft')
    for (const scope of ['publish', 'full']) {
      await change(victim, clientId, scope)
      assert.equal(await problemOf(reader.access_token), 'insufficient_scope', scope)
    }
  })

  test('by connecting it again with less, which also limits its older tokens', async () => {
    const victim = await seedVictim(service)
    const first = await connect(service, victim.browser, { choice: { posting: 'publish' } })
    await connect(service, victim.browser, { clientId: first.clientId, choice: { posting: 'read' } })
    assert.equal(await problemOf(first.access), 'insufficient_scope')
  })
})

suite('an owner who disconnects an app', () => {
  test('ends its tokens at once, and a code that was not exchanged yet', async () => {
    const victim = await seedVictim(service)
    const { access, refresh, clientId } = await connect(service, victim.browser)
    const pending = await grantCode(service, victim.browser, { clientId })
    await disconnect(victim, clientId)
    assert.equal(await statusWith(service, access), 401)
    assert.equal((await renew(service, clientId, refresh)).body.error, 'invalid_grant')
    assert.equal((await exchange(service, pending.form)).body.error, 'invalid_grant')
  })

  test('while the app exchanges its code or renews its token, leaves no token that works', async () => {
    for (let round = 0; round < 4; round += 1) {
      const victim = await seedVictim(service)
      const app = await connect(service, victim.browser)
      const pending = await grantCode(service, victim.browser, { clientId: app.clientId })
      const [code, token] = await Promise.all([
        exchange(service, pending.form),
        renew(service, app.clientId, app.refresh),
        disconnect(victim, app.clientId),
      ])
      for (const { status, body } of [code, token]) {
        assert.ok([200, 400].includes(status), JSON.stringify(body))
        if (status !== 200) continue
        assert.equal(await statusWith(service, body.access_token), 401)
        assert.equal((await renew(service, app.clientId, body.refresh_token)).status, 400)
      }
    }
  })

  test('and connects it again, does not revive the tokens from before', async () => {
    const victim = await seedVictim(service)
    const first = await connect(service, victim.browser)
    await disconnect(victim, first.clientId)
    const second = await connect(service, victim.browser, { clientId: first.clientId })
    assert.equal(await statusWith(service, second.access), 200)
    assert.equal(await statusWith(service, first.access), 401)
    assert.equal((await renew(service, first.clientId, first.refresh)).status, 400)
    assert.equal((await renew(service, second.clientId, second.refresh)).status, 200)
  })
})

suite('sessions that end while the owner connects the app again', () => {
  test('a revoked or replayed older session does not take the new consent with it', async () => {
    const victim = await seedVictim(service)
    const first = await connect(service, victim.browser)
    const again = await grantCode(service, victim.browser, { clientId: first.clientId })
    await postForm(service, '/oauth/revoke', { token: first.refresh, client_id: first.clientId })
    const { status, body } = await exchange(service, again.form)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(await statusWith(service, body.access_token), 200)
    assert.equal(await statusWith(service, first.access), 401)
  })
})

suite('a banned account', () => {
  test('its apps read and appeal as its keys do, and publish nothing', async () => {
    const victim = await seedVictim(service)
    const { access, clientId, refresh } = await connect(service, victim.browser)
    await setStanding(victim, 'banned')
    assert.equal(await problemOf(access), 'account_banned')
    assert.equal(await problemOf(access, 'get_account', {}), null)
    const renewed = (await renew(service, clientId, refresh)).body
    assert.equal(await problemOf(renewed.access_token), 'account_banned')
  })

  test('cannot connect another app, nor widen one that is connected', async () => {
    const victim = await seedVictim(service)
    const app = await connect(service, victim.browser, { choice: { posting: 'read' } })
    await setStanding(victim, 'banned')
    for (const clientId of [undefined, app.clientId]) {
      const flow = await startFlow(service, victim.browser, clientId ? { clientId } : {})
      const { status, location } = await victim.browser.submit(flow.path, {
        decision: 'allow',
        posting: 'publish',
        cap: '',
      })
      assert.deepEqual([status, location], [403, null], String(clientId))
    }
    const [key] = await service.asOwner<{ scopes: string[] }>('select scopes from api_keys where client_id = $1', [
      app.clientId,
    ])
    assert.deepEqual(key?.scopes, ['read'])
  })
})

suite('a closed account', () => {
  test('between consent and exchange gives no tokens', async () => {
    const victim = await seedVictim(service)
    const { form } = await grantCode(service, victim.browser)
    await close(victim)
    assert.equal((await exchange(service, form)).body.error, 'invalid_grant')
  })

  test('ends all tokens and leaves nothing of its apps', async () => {
    const victim = await seedVictim(service)
    const { access, refresh, clientId } = await connect(service, victim.browser)
    await close(victim)
    assert.equal(await statusWith(service, access), 401)
    assert.equal((await renew(service, clientId, refresh)).body.error, 'invalid_grant')
    assert.equal(await countRows(service, 'oauth_sessions where client_id = $1', [clientId]), 0)
    assert.equal(await countRows(service, 'oauth_requests where client_id = $1', [clientId]), 0)
  })

  test('at the same time as consent, exchange and renewal, is closed, and no token works', async () => {
    for (let round = 0; round < 8; round += 1) {
      const victim = await seedVictim(service)
      const app = await connect(service, victim.browser)
      const pending = await grantCode(service, victim.browser, { clientId: app.clientId })
      const open = await startFlow(service, victim.browser, { clientId: app.clientId })
      const [code, token, decided] = await Promise.all([
        exchange(service, pending.form),
        renew(service, app.clientId, app.refresh),
        victim.owner.post(open.path, { decision: 'allow', posting: 'publish', cap: '' }),
        close(victim),
      ])
      for (const { status, body } of [code, token]) {
        assert.ok([200, 400].includes(status), `${status} ${JSON.stringify(body)}`)
        if (status === 200) assert.equal(await statusWith(service, body.access_token), 401)
      }
      assert.ok([303, 401, 403].includes(decided.status), `${decided.status}`)
      assert.equal(await countRows(service, 'api_keys where account_id = $1', [victim.accountId]), 0)
      assert.equal(await countRows(service, 'oauth_sessions where client_id = $1', [app.clientId]), 0)
    }
  })
})

suite('apps among the keys', () => {
  test('an app that is older than the verified address must be confirmed, and can be disconnected there', async () => {
    const victim = await seedVictim(service)
    const { access, clientId } = await connect(service, victim.browser)
    await service.asOwner("update accounts set email_verified_at = now() + interval '1 minute' where id = $1", [
      victim.accountId,
    ])
    const { page } = await victim.browser.get('/account/confirm-keys')
    assert.match(page, /this computer/, 'where it comes from')
    assert.doesNotMatch(page, /null/)
    const keys = await service.asOwner<{ id: string; client_id: string | null }>(
      'select id, client_id from api_keys where account_id = $1',
      [victim.accountId],
    )
    const choices = Object.fromEntries(
      keys.map(({ id, client_id }) => [id, client_id === clientId ? 'revoke' : 'keep']),
    )
    assert.equal((await victim.owner.post('/account/confirm-keys', choices)).status, 303)
    assert.equal(await statusWith(service, access), 401)
  })

  test('no page or response shows a missing key as null', async () => {
    const victim = await seedVictim(service)
    const { access, clientId } = await connect(service, victim.browser)
    await problemOf(access)
    const id = await keyOf(clientId)
    for (const path of [
      '/account',
      '/account/keys',
      `/account/keys/${id}`,
      `/account/keys/${id}/revoke`,
      '/account?by=key',
      '/account/charges',
    ])
      assert.doesNotMatch((await victim.browser.get(path)).page, /null|undefined/, path)
  })

  test('30 apps at once use no more places than an account has', async () => {
    const victim = await seedVictim(service)
    const flows = await atOnce(30, () => startFlow(service, victim.browser))
    const answers = await Promise.all(
      flows.map(({ path }) => victim.owner.post(path, { decision: 'allow', posting: 'read', cap: '' })),
    )
    assert.equal(answers.filter(({ status }) => status === 303).length, 19)
    assert.equal(
      await countRows(service, 'api_keys where account_id = $1 and revoked_at is null', [victim.accountId]),
      20,
    )
  })
})
