import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { maxApiKeysPerAccount } from '../../../src/contract/limits.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { type Owner, openOwner } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { seedKey } from '../../support/accounts/create-key.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

const path = '/account/keys'
const read = async (response: Response) => ({ status: response.status, page: await response.text() })

/** The form of the page, as a browser would submit it. */
async function createByPage(owner: Owner, fields: Record<string, string>) {
  const { page } = await read(await owner.get(path))
  const form = { id: /name="id" value="(key_\w+)"/.exec(page)?.[1] ?? '', scope: 'full', cap: '', ...fields }
  const answer = await owner.post(path, form)
  const { status, page: shown } = await read(answer)
  const apiKey = /<input id="new-key"[^>]* value="(bsk_\w+)"/.exec(shown)?.[1] ?? ''
  return { form, status, shown, apiKey, cacheControl: answer.headers.get('cache-control') }
}

const callWith = (apiKey: string, method = 'GET', body?: object) =>
  fetch(`${service.baseUrl}/v1/${body ? 'posts' : 'account'}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
/** The result of the agent's post: 202, or the problem code. */
async function post(apiKey: string): Promise<number | string> {
  const response = await callWith(apiKey, 'POST', { text: `The tide table of pier ${crypto.randomUUID()}.` })
  const body = (await response.json()) as { code?: string }
  return body.code ?? response.status
}

test('an owner creates, limits, unlimits and revokes a key, and each takes effect on the agent’s next call', async () => {
  const account = await service.createCustomer(1_000_000)
  const owner = await openOwner(service, account.id)
  const made = await createByPage(owner, { name: 'Harbour <agent>', cap: '0.03' })
  assert.deepEqual([made.status, made.cacheControl], [200, 'no-store'])
  assert.match(made.shown, /show it only once/)
  assert.match(made.shown, /Harbour &#60;agent&#62;/)
  assert.ok(made.shown.includes('data-copies="new-key"') && made.shown.includes('readonly'))
  assert.equal((await callWith(made.apiKey)).status, 200)

  const list = (await read(await owner.get(path))).page
  assert.ok(!list.includes(made.apiKey) && list.includes(`…${made.apiKey.slice(-4)}`))
  assert.deepEqual([await post(made.apiKey), await post(made.apiKey)], [202, 'key_cap_reached'])
  assert.match((await read(await owner.get(path))).page, /\$0\.02 of \$0\.03/)

  const one = `${path}/${made.form.id}`
  assert.match((await read(await owner.get(one))).page, /name="cap" value="0\.03"/)
  const change = (fields: Record<string, string>) => owner.post(one, { name: 'Harbour', scope: 'full', ...fields })
  const changed = await change({ cap: '$0.04' })
  assert.deepEqual([changed.status, changed.headers.get('location')], [303, path])
  assert.deepEqual([await post(made.apiKey), await post(made.apiKey)], [202, 'key_cap_reached'])
  await change({ cap: '' })
  assert.equal(await post(made.apiKey), 202)
  await change({ cap: '', scope: 'read' })
  assert.equal(await post(made.apiKey), 'key_read_only')
  assert.equal((await callWith(made.apiKey)).status, 200)

  const asked = await read(await owner.get(`${one}/revoke`))
  assert.match(asked.page, /cannot be undone/)
  assert.equal((await callWith(made.apiKey)).status, 200, 'asking changes nothing')
  assert.equal((await owner.post(`${one}/revoke`)).status, 303)
  assert.equal((await callWith(made.apiKey)).status, 401)
  for (const gone of [one, `${one}/revoke`]) assert.equal((await owner.get(gone)).status, 404)
  assert.equal((await owner.post(`${one}/revoke`)).status, 404)
  const acts = await service.asOwner<{ action: string }>(
    'select action from audit_log where account_id = $1 order by id',
    [account.id],
  )
  const changes = ['owner.change_key', 'owner.change_key', 'owner.change_key']
  assert.deepEqual(
    acts.map(({ action }) => action),
    ['owner.create_key', ...changes, 'owner.revoke_key'],
  )
})

test('submitting the form again creates no second key and does not show the first one', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const { form, apiKey } = await createByPage(owner, { name: 'Once' })
  const again = await read(await owner.post(path, form))
  assert.equal(again.status, 409)
  assert.match(again.page, /already exists/)
  assert.ok(!again.page.includes('bsk_') && apiKey !== '')
  const keys = (await (await callWith(apiKey)).json()) as { keys: number }
  assert.equal(keys.keys, 2)
})

test('a created key is shown even if a later step fails; a failed action is not reported as undone', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const wish = () => ({ id: newId('key', service.clock.now()), name: 'Night desk', scope: 'full', cap: '' })
  await service.asOwner('revoke select on balances from broadside_owner_page')
  const [made, page] = [await owner.post('/account/keys', wish()), await owner.get('/account/keys')]
  await service.asOwner('grant select on balances to broadside_owner_page')
  assert.equal(made.status, 200)
  const key = /value="(bsk_\w+)"/.exec(await made.text())?.[1]
  assert.equal((await service.client(key).getAccount()).body.id, account.id)
  assert.equal(page.status, 503)
  assert.match(await page.text(), /Nothing was changed/)

  await service.asOwner('revoke insert on audit_log from broadside_owner_page')
  const failed = await owner.post('/account/keys', wish())
  await service.asOwner('grant insert on audit_log to broadside_owner_page')
  assert.equal(failed.status, 503)
  const text = await failed.text()
  assert.match(text, /Check before you try again/)
  assert.doesNotMatch(text, /Nothing was changed/)
  assert.equal((await owner.get('/account/keys')).status, 200)
})

test('invalid input is reported at its field, and nothing is created', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  const { status, shown } = await createByPage(owner, { name: ' ', cap: 'a lot' })
  assert.equal(status, 422)
  assert.match(shown, /<p class="error" id="name-error">/)
  assert.match(shown, /<p class="error" id="cap-error">It must be an amount such as 2\.50/)
  assert.match(shown, /name="cap" value="a lot"/)
  assert.match((await createByPage(owner, { name: 'x'.repeat(81) })).shown, /must have 1 to 80 characters/)
  assert.match(shown, /1 of 20/)
})

test('the 21st key is refused with instructions, and a banned account gets none', async () => {
  const account = await service.createAccount()
  const owner = await openOwner(service, account.id)
  for (let slot = 2; slot <= maxApiKeysPerAccount; slot++) await seedKey(service, { accountId: account.id, slot })
  const full = await createByPage(owner, { id: newId('key', service.clock.now()), name: 'One more' })
  assert.equal(full.status, 409)
  assert.match(full.shown, /All 20 places are in use[\s\S]*revoke or disconnect one/)
  await service.asOwner("delete from api_keys where name = 'seeded' and account_id = $1", [account.id])
  await service.asOwner("update accounts set standing = 'banned' where id = $1", [account.id])
  const banned = await createByPage(owner, { id: newId('key', service.clock.now()), name: 'One more' })
  assert.deepEqual([banned.status, banned.apiKey], [403, ''])
  assert.match(banned.shown, /The account is banned/)
})

test('another account’s key is never shown', async () => {
  const [account, stranger] = [await service.createAccount(), await service.createAccount()]
  const { id, apiKey } = await seedKey(service, { accountId: account.id, slot: 2 })
  const owner = await openOwner(service, stranger.id)
  const fields = { name: 'Mine now', scope: 'read', cap: '0' }
  const answers = [
    await owner.get(`${path}/${id}`),
    await owner.get(`${path}/${id}/revoke`),
    await owner.post(`${path}/${id}`, fields),
    await owner.post(`${path}/${id}/revoke`),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 404],
  )
  assert.equal((await callWith(apiKey)).status, 200)
})
