import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { callMcpTool } from '../support/oauth/mcp-call.ts'
import { connectApp } from '../support/oauth/sign-in.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

const call = (bearer: string | undefined, name: string, given: object = {}, url = `${service.accountPageUrl}/mcp`) =>
  callMcpTool(url, { bearer, name, given })

test('without a token, the endpoint says where to sign in; the sites do not', async () => {
  const { status, headers } = await call(undefined, 'get_status')
  assert.equal(status, 401)
  const metadata = `${service.accountPageUrl}/.well-known/oauth-protected-resource/mcp`
  assert.equal(headers.get('www-authenticate'), `Bearer scope="read publish", resource_metadata="${metadata}"`)
  const wrong = await call('bsa_nonsense', 'get_status')
  assert.equal(wrong.status, 401)
  assert.match(String(wrong.headers.get('www-authenticate')), /^Bearer error="invalid_token", resource_metadata=/)
  assert.equal((await call(undefined, 'get_status', {}, `${service.baseUrl}/mcp`)).status, 200)
})

test('an app publishes with its token; a token for reading must ask for more', async () => {
  const account = await service.createCustomer()
  const owner = await openOwner(service, account.id)
  const { tokens } = await connectApp(service, owner.token, { posting: 'publish' })
  const post = { kind: 'message', text: 'The ferry leaves at eight tomorrow because of the tide.' }
  const published = await call(tokens.access_token, 'publish_post', post)
  assert.equal(published.status, 200)
  assert.equal(published.result?.structuredContent?.['status'], 'queued', JSON.stringify(published.result))
  const reader = await connectApp(service, owner.token, { posting: 'read' })
  assert.equal(reader.tokens.scope, 'read')
  const refused = await call(reader.tokens.access_token, 'publish_post', post)
  assert.equal(refused.status, 403)
  assert.match(
    String(refused.headers.get('www-authenticate')),
    /^Bearer error="insufficient_scope", scope="read publish", resource_metadata=/,
  )
})

test('an app whose owner wants to be asked prepares drafts, which cost nothing', async () => {
  const account = await service.createCustomer()
  const owner = await openOwner(service, account.id)
  const { tokens } = await connectApp(service, owner.token, { posting: 'publish_with_approval' })
  const post = { kind: 'message', text: 'The pier is closed on Monday, because divers repair its posts.' }
  const { result } = await call(tokens.access_token, 'publish_post', post)
  type Prepared = { draft: Record<string, string>; for_human: boolean }
  const { draft, for_human } = (result?.structuredContent ?? {}) as Prepared
  assert.deepEqual([draft['state'], for_human], ['awaiting_approval', true])
  const listed = await call(tokens.access_token, 'list_drafts')
  const { data } = (listed.result?.structuredContent ?? {}) as { data: { id: string }[] }
  assert.deepEqual(
    data.map(({ id }) => id),
    [draft['id']],
  )
  const edited = await call(tokens.access_token, 'edit_post', { id: 'post_01jcmzq8e5f7r9t2v4x6y8z0ab', text: 'Other.' })
  assert.equal(edited.status, 403, 'an edit needs the scope publish')
  const [{ balance } = { balance: 0 }] = await service.asOwner<{ balance: number }>(
    'select prepaid_micros::int as balance from balances where account_id = $1',
    [account.id],
  )
  assert.equal(balance, 10_000_000)
})

test('a token works only at its endpoint, for 15 minutes, and until the owner disconnects the app', async () => {
  const account = await service.createCustomer()
  const owner = await openOwner(service, account.id)
  const { tokens, clientId } = await connectApp(service, owner.token)
  const token = tokens.access_token
  assert.equal((await call(token, 'get_account')).status, 200)
  for (const base of Object.values(service.baseUrls)) {
    assert.equal((await call(token, 'get_account', {}, `${base}/mcp`)).status, 401)
    assert.equal((await fetch(`${base}/v1/account`, { headers: { authorization: `Bearer ${token}` } })).status, 401)
  }
  const [key] = await service.asOwner<{ id: string }>('select id from api_keys where client_id = $1', [clientId])
  const revoked = await owner.post(`/account/keys/${key?.id}/revoke`)
  assert.equal(revoked.status, 303)
  assert.equal((await call(token, 'get_account')).status, 401)
  const again = await connectApp(service, owner.token)
  assert.equal((await call(again.tokens.access_token, 'get_account')).status, 200)
  service.clock.setOffset(901_000)
  assert.equal((await call(again.tokens.access_token, 'get_account')).status, 401)
})
