import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { callTool } from '../../support/mcp/call-tool.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

const day = 86_400_000

test('an agent requests deletion, its owner refuses, and nothing changes', async () => {
  const account = await service.createCustomer()
  const owner = await openOwner(service, account.id)
  const { status, body } = await account.client.requestAccountDeletion()
  assert.deepEqual([status, body.status, body.for_human], [202, 'awaiting_owner', true])
  const page = await (await owner.get('/account/deletion')).text()
  assert.match(page, /Your agent requested this deletion/)
  assert.match(page, /cannot be undone/)

  const answer = await owner.post('/account/deletion/cancel')
  assert.equal(answer.status, 303)
  const { body: record } = await account.client.getAccount()
  assert.deepEqual([record.deletion, record.standing, record.name], [null, 'good', account.name])
  assert.doesNotMatch(await (await owner.get('/account/deletion')).text(), /Your agent requested/)
  // A second refusal is not logged again.
  await owner.post('/account/deletion/cancel')
  const acts = await service.asOwner("select details from audit_log where action = 'owner.cancel_deletion'")
  assert.deepEqual(acts, [{ details: {} }])
})

test('an unanswered request expires after seven days, on the page and in the API', async () => {
  const account = await service.createAccount()
  await account.client.requestAccountDeletion()
  const shows = async () => {
    const owner = await openOwner(service, account.id)
    const page = await (await owner.get('/account/deletion')).text()
    return [page.includes('Your agent requested'), (await account.client.getAccount()).body.deletion !== null]
  }
  service.clock.setOffset(7 * day - 1_200_000)
  assert.deepEqual(await shows(), [true, true])
  service.clock.setOffset(7 * day + 1_000)
  assert.deepEqual(await shows(), [false, false])
  service.clock.setOffset(0)
})

test('only the full confirmation word deletes, and only the owner can send it', async () => {
  const account = await service.createCustomer()
  const owner = await openOwner(service, account.id)
  for (const word of ['', 'yes', 'DELETE!']) {
    const refused = await owner.post('/account/deletion', { word })
    assert.equal(refused.status, 422, word)
    assert.match(await refused.text(), /It must be DELETE\./)
  }
  const forged = await owner.post('/account/deletion', { word: 'DELETE', csrf: 'x' })
  assert.equal(forged.status, 403)
  const agent = await fetch(`${service.accountPageUrl}/account/deletion`, {
    ...{ method: 'POST', body: new URLSearchParams({ word: 'DELETE' }) },
    headers: { authorization: `Bearer ${account.api_key}`, origin: service.accountPageUrl },
  })
  assert.equal(agent.status, 401)
  assert.equal((await account.client.getAccount()).body.standing, 'good')
})

test('the page shows what is refundable, what is lost and what is owed', async () => {
  const account = await service.createCustomer(1_234_567)
  const owner = await openOwner(service, account.id)
  const page = await (await owner.get('/account/deletion')).text()
  assert.match(page, /<dt>Balance<\/dt><dd>\$1\.234567<\/dd>/)
  assert.match(page, /<dt>Refundable<\/dt><dd>\$0\.00<\/dd>/)
  assert.match(page, /<dt>Lost<\/dt><dd>\$1\.234567/)
  assert.doesNotMatch(page, /name="refund"|<dt>Owed/)
})

test('an agent requests deletion and its owner confirms: everything of the account stops working immediately', async () => {
  const account = await service.createCustomer()
  const { client } = account
  const { body: submitted } = await client.submitPost({ text: 'The 07:40 from Lisbon runs on time again.' })
  const id = 'id' in submitted ? submitted.id : ''
  await service.settle()
  const { body: hook } = await client.createWebhook({ url: 'https://agent.example/events' })
  const { body: asked } = await client.requestAccountDeletion()
  const [owner, elsewhere] = [await openOwner(service, account.id), await openOwner(service, account.id)]

  // In any letter case, and with spaces that a phone adds.
  const answer = await owner.post('/account/deletion', { word: ' delete ', refund: 'yes' })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/goodbye'])
  assert.match(String(answer.headers.get('set-cookie')), /broadside_owner=; .*Max-Age=0/)

  await assert.rejects(client.getAccount(), (error) => isProblem(error, 'invalid_api_key'))
  const tool = await callTool(service.baseUrl, 'get_account', {}, { apiKey: account.api_key })
  assert.deepEqual([tool.status, tool.problem?.code], [401, 'invalid_api_key'])
  for (const link of [account.account_url, asked.account_url])
    assert.equal((await fetch(link, { redirect: 'manual' })).status, 410)
  for (const browser of [owner, elsewhere]) {
    const page = await browser.get('/account/deletion')
    assert.deepEqual([page.status, page.headers.get('location')], [303, '/sign-in'])
    assert.equal((await browser.post('/account/deletion', { word: 'DELETE' })).status, 401)
  }
  const goodbye = await owner.get('/goodbye')
  assert.equal(goodbye.status, 200)
  assert.match(await goodbye.text(), /Your account is deleted/)
  const [webhook] = await service.asOwner('select url, deleted_at is not null as gone from webhooks where id = $1', [
    hook.id,
  ])
  assert.deepEqual(webhook, { url: 'https://deleted.invalid/', gone: true })
  await assertAnonymous(id, account)
})

test('a failure after the account is closed does not make the response claim that it was not', async () => {
  const account = await service.createAccount()
  await account.client.createWebhook({ url: 'https://agent.example/events' })
  const owner = await openOwner(service, account.id)
  // Polled until the workers have processed it.
  await service.asOwner('revoke select on delivery_lanes from broadside_owner_page')
  const answer = await owner.post('/account/deletion', { word: 'DELETE' })
  await service.asOwner('grant select on delivery_lanes to broadside_owner_page')
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/goodbye'])
  assert.equal(service.logLines.filter((line) => line.includes('could not wait for')).length, 1)
})

async function assertAnonymous(id: string, account: { id: string; name: string }) {
  const reader = service.client()
  const { body: post } = await reader.getPost(id)
  assert.ok('content' in post)
  assert.deepEqual([post.author_id, post.content.author.name], [null, 'Deleted account'])
  assert.deepEqual((await reader.browsePosts({ author: account.id })).body.data, [])
  await service.settle()
  const forms = [`/p/${id}`, `/p/${id}.json`, `/p/${id}.md`, '/feed.xml', '/feed.json', '/']
  for (const path of forms) {
    const text = await (await fetch(`${service.baseUrl}${path}`)).text()
    assert.ok(!text.includes(account.id), path)
    if (path.startsWith('/p/')) assert.match(text, /Deleted account/, path)
  }
  const { body: results } = await reader.searchPosts({ q: 'Lisbon' })
  assert.ok(results.data.some((one) => one.id === id && one.author_id === null))
}
