import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { newRefreshToken } from '../../../src/oauth/secrets.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { atOnce, connect, countRows, renew, seedVictim, statusWith } from '../../support/oauth/attack.ts'
import { callMcpTool } from '../../support/oauth/mcp-call.ts'
import { postForm, register } from '../../support/oauth/sign-in.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

const connected = async (scope = 'read publish', choice = {}) =>
  connect(service, (await seedVictim(service)).browser, { changes: { scope }, choice })

const sessions = (clientId: string) => countRows(service, 'oauth_sessions where client_id = $1', [clientId])

suite('refresh token replay (RFC 9700, section 4.14.2)', () => {
  test('an old token ends the newest one and every access token', async () => {
    const { clientId, refresh, access } = await connected()
    const second = (await renew(service, clientId, refresh)).body
    const third = (await renew(service, clientId, second.refresh_token)).body
    for (const token of [access, second.access_token, third.access_token])
      assert.equal(await statusWith(service, token), 200)
    assert.equal((await renew(service, clientId, refresh)).body.error, 'invalid_grant')
    for (const token of [access, second.access_token, third.access_token])
      assert.equal(await statusWith(service, token), 401)
    assert.equal((await renew(service, clientId, third.refresh_token)).body.error, 'invalid_grant')
    assert.equal(await sessions(clientId), 0)
  })

  test('of 30 uses at once at most one succeeds, and no token survives', async () => {
    const { clientId, refresh } = await connected()
    const answers = await atOnce(30, () => renew(service, clientId, refresh))
    const good = answers.filter(({ status }) => status === 200)
    assert.ok(good.length <= 1, `${good.length} families`)
    for (const { body } of good) {
      assert.equal(await statusWith(service, body.access_token), 401)
      assert.equal((await renew(service, clientId, body.refresh_token)).status, 400)
    }
    assert.equal(await sessions(clientId), 0)
  })

  test('two thieves who race each other in turn never hold two valid families', async () => {
    const { clientId, refresh } = await connected()
    let tokens = [refresh]
    for (let round = 0; round < 6; round += 1) {
      const answers = await Promise.all(tokens.flatMap((token) => [renew(service, clientId, token)]))
      const next = answers.filter(({ status }) => status === 200).map(({ body }) => String(body.refresh_token))
      assert.ok(next.length <= 1)
      tokens = [...next, ...tokens].slice(0, 4)
    }
    assert.equal(await sessions(clientId), 0)
  })

  test('a guess with the right session ends it and gives nothing', async () => {
    const { clientId, refresh, access } = await connected()
    const id = refresh.slice(4, 36).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    const { body } = await renew(service, clientId, newRefreshToken(id))
    assert.equal(body.error, 'invalid_grant')
    assert.equal(await statusWith(service, access), 401)
  })

  test('an old token at the revocation endpoint gives nothing', async () => {
    const { clientId, refresh } = await connected()
    const second = (await renew(service, clientId, refresh)).body
    const { status, body } = await postForm(service, '/oauth/revoke', { token: refresh, client_id: clientId })
    assert.deepEqual([status, body], [200, {}])
    assert.equal(await statusWith(service, second.access_token), 200)
  })

  test('a token that is not used for 90 days ends', async () => {
    const { clientId, refresh } = await connected()
    const day = 86_400_000
    service.clock.setOffset(89 * day)
    const { body, status } = await renew(service, clientId, refresh)
    assert.equal(status, 200)
    service.clock.setOffset(89 * day + 91 * day)
    const late = await renew(service, clientId, body.refresh_token)
    service.clock.setOffset(0)
    assert.notEqual(late.status, 200)
    assert.ok(['invalid_grant', 'invalid_client'].includes(late.body.error))
  })
})

suite('stolen refresh tokens', () => {
  test('a token is worth nothing to another client, and the attempt ends nothing (RFC 6749, section 10.4)', async () => {
    const { clientId, refresh, access } = await connected()
    const other = (await register(service)).body.client_id
    for (const id of [other, 'https://evil.example/client.json'])
      assert.equal((await renew(service, id, refresh)).body.error, 'invalid_grant')
    assert.equal(await statusWith(service, access), 200)
    assert.equal((await renew(service, clientId, refresh)).status, 200)
  })

  test('without a client, with a secret or with a password for the client, nothing is renewed', async () => {
    const { clientId, refresh } = await connected()
    const form = { grant_type: 'refresh_token', refresh_token: refresh }
    assert.equal((await postForm(service, '/oauth/token', form)).body.error, 'invalid_request')
    for (const more of [{ client_secret: 'x' }, { client_assertion: 'x.y.z' }])
      assert.equal(
        (await renew(service, clientId, refresh, more as Record<string, string>)).body.error,
        'invalid_client',
      )
    const response = await fetch(`${service.accountPageUrl}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:x`).toString('base64')}` },
      body: new URLSearchParams({ ...form, client_id: clientId }),
    })
    assert.equal(response.status, 401)
    assert.match(String(response.headers.get('www-authenticate')), /^Basic realm=/, 'RFC 6749, section 5.2')
    assert.equal((await renew(service, clientId, refresh)).status, 200)
  })

  test('access tokens, codes and mistyped tokens renew nothing', async () => {
    const { clientId, refresh, access, code } = await connected()
    for (const token of [
      access,
      code,
      `${refresh}x`,
      refresh.slice(0, -1),
      refresh.toUpperCase(),
      `bsr_${'0'.repeat(32)}`,
    ])
      assert.equal((await renew(service, clientId, token)).body.error, 'invalid_grant')
    assert.equal((await renew(service, clientId, refresh)).status, 200)
  })
})

suite('wider scope on refresh (RFC 6749, section 6)', () => {
  test('a scope that the owner did not allow is refused, and the token stays valid', async () => {
    const { clientId, refresh } = await connected('read', { posting: 'read' })
    for (const scope of ['publish', 'read publish', 'read account', 'webhooks', 'read admin', '*', 'READ'])
      assert.equal((await renew(service, clientId, refresh, { scope })).body.error, 'invalid_scope', scope)
    const { status, body } = await renew(service, clientId, refresh, { scope: 'read offline_access' })
    assert.deepEqual([status, body.scope], [200, 'read'])
  })

  test('an app that the owner lets prepare drafts cannot renew itself into one that publishes', async () => {
    const { clientId, refresh } = await connected('read publish', { posting: 'publish_with_approval' })
    assert.equal((await renew(service, clientId, refresh, { scope: 'publish' })).body.error, 'invalid_scope')
  })

  test('a token for fewer scopes has only these, and the next one may have all again', async () => {
    const { clientId, refresh } = await connected()
    const narrow = (await renew(service, clientId, refresh, { scope: 'read' })).body
    assert.equal(narrow.scope, 'read')
    const url = `${service.accountPageUrl}/mcp`
    const call = { name: 'publish_post', given: { kind: 'message', text: 'The ferry is late today.' } }
    assert.equal((await callMcpTool(url, { bearer: narrow.access_token, ...call })).status, 403)
    const wide = (await renew(service, clientId, narrow.refresh_token)).body
    assert.equal(wide.scope, 'read publish')
  })

  test('a token for no scope at all is not issued', async () => {
    const { clientId, refresh } = await connected()
    const { status, body } = await renew(service, clientId, refresh, { scope: 'offline_access' })
    assert.ok(status === 200 ? body.scope === 'read publish' : body.error === 'invalid_scope', JSON.stringify(body))
  })

  test('another resource is refused (RFC 8707, section 2)', async () => {
    const { clientId, refresh } = await connected()
    for (const resource of [`${service.baseUrl}/mcp`, 'https://evil.example/mcp'])
      assert.equal((await renew(service, clientId, refresh, { resource })).body.error, 'invalid_target')
    assert.equal((await renew(service, clientId, refresh)).status, 200)
  })
})

suite('revoking another client’s token (RFC 7009, section 2.1)', () => {
  test('it has no effect, and the response is the same as for an unknown token', async () => {
    const { refresh, access, clientId } = await connected()
    const other = (await register(service)).body.client_id
    const revoke = async (token: string, client_id: string) => {
      const { status, body } = await postForm(service, '/oauth/revoke', { token, client_id })
      return JSON.stringify([status, body])
    }
    const unknown = await revoke('bsa_unknown', other)
    for (const token of [refresh, access]) {
      assert.equal(await revoke(token, other), unknown)
      assert.equal(await revoke(token, `${clientId}x`), unknown)
    }
    assert.equal((await postForm(service, '/oauth/revoke', { token: access })).body.error, 'invalid_request')
    const zero = await postForm(service, '/oauth/revoke', { token: access, client_id: 'client_\0' })
    assert.equal(zero.body.error, 'invalid_request')
    assert.equal(await statusWith(service, access), 200)
    assert.equal(await revoke(access, clientId), unknown)
    assert.equal(await statusWith(service, access), 401)
    assert.equal((await renew(service, clientId, refresh)).status, 200)
  })
})
