import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HtmlValidate, StaticConfigLoader } from 'html-validate'
import { draftLimits } from '../../src/contract/draft-limits.ts'
import { createDraftLink } from '../../src/drafts/draft-links.ts'
import { type Owner, openOwner, openOwnerBrowser } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { type Author, balanceOf, createAuthor, submitDraftOf } from '../support/drafts/draft-fixture.ts'
import { seedDraft, seedDraftLink, seedDrafts } from '../support/drafts/seed-draft.ts'
import { htmlRules } from '../support/pages/valid-formats.ts'

const price = 20_000
const dayMs = 86_400_000
const hostile = '</label><script>alert(1)</script><img src=x onerror=alert(2)> "of" the ferry'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

const validator = new HtmlValidate(new StaticConfigLoader(htmlRules))
const read = async (owner: Pick<Owner, 'get'>, path: string) => {
  const page = await (await owner.get(path)).text()
  const { results } = validator.validateStringSync(page)
  const faults = results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line} ${message}`))
  assert.deepEqual(faults, [], path)
  return page
}
const states = async ({ id }: Pick<Author, 'id'>) => {
  const rows = await service.asOwner<{ state: string; count: number }>(
    'select state, count(*)::int as count from drafts where account_id = $1 group by state',
    [id],
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
const boxes = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, 'on']))

/** Like a browser that opened the link in an email. */
async function openLinked(token: string) {
  const browser = openOwnerBrowser(service)
  const opened = await browser.get(`/d/${token}`)
  return { browser, opened }
}

test('of 30 drafts, an owner approves 20 and declines 10 with two forms, and pays for 20', async () => {
  const author = await createAuthor(service, 10_000_000)
  const ids: string[] = []
  for (let count = 0; count < 30; count++) ids.push((await submitDraftOf(author.waiting)).id)
  const owner = await openOwner(service, author.id)
  const page = await read(owner, '/account/drafts')
  assert.equal(page.match(/type="checkbox"/g)?.length, 30)
  assert.match(page, /30 drafts, \$0\.60 in total/)
  assert.match(await read(owner, '/account'), /30 drafts wait for your approval/)
  const approved = await owner.post('/account/drafts', { ...boxes(ids.slice(0, 20)), decision: 'approve' })
  assert.match(await read(owner, String(approved.headers.get('location'))), /20 drafts approved\./)
  const declined = await owner.post('/account/drafts', { ...boxes(ids.slice(20)), decision: 'decline' })
  assert.match(await read(owner, String(declined.headers.get('location'))), /10 drafts declined\./)
  await service.settle()
  assert.deepEqual(await states(author), { submitted: 20, declined: 10 })
  assert.equal(await balanceOf(author), 10_000_000 - 20 * price)
  assert.match(await read(owner, '/account/drafts'), /No drafts to approve/)
})

test('a form that is sent twice, or after the other decision, changes nothing and says so', async () => {
  const author = await createAuthor(service, 1_000_000)
  const { id } = await submitDraftOf(author.waiting)
  const owner = await openOwner(service, author.id)
  const answers: (string | null)[] = []
  for (const one of [`approve ${id}`, `approve ${id}`]) {
    const { headers } = await owner.post('/account/drafts', { one })
    answers.push(headers.get('location'))
  }
  await service.settle()
  answers.push((await owner.post('/account/drafts', { one: `decline ${id}` })).headers.get('location'))
  assert.deepEqual(answers, [
    '/account/drafts?did=approve&decided=1&unchanged=0',
    '/account/drafts?did=approve&decided=0&unchanged=1',
    '/account/drafts?did=decline&decided=0&unchanged=1',
  ])
  assert.match(await read(owner, String(answers[2])), /1 draft was not changed/)
  assert.deepEqual(await states(author), { submitted: 1 })
  assert.equal(await balanceOf(author), 1_000_000 - price)
})

test('a form without a selected draft says what to do', async () => {
  const author = await createAuthor(service)
  const owner = await openOwner(service, author.id)
  const { headers } = await owner.post('/account/drafts', { decision: 'approve' })
  assert.match(await read(owner, String(headers.get('location'))), /Select at least one draft/)
})

test('the page shows each draft as text with its kind, price, key and time; a link selects all', async () => {
  const author = await createAuthor(service)
  await service.asOwner('update api_keys set name = $2 where account_id = $1', [author.id, hostile.slice(0, 40)])
  await seedDraft(service, { accountId: author.id, text: hostile, publishAt: new Date('2027-03-04T05:06:00Z') })
  await seedDraft(service, { accountId: author.id, text: `${hostile} ${'word '.repeat(90)}` })
  const owner = await openOwner(service, author.id)
  const page = await read(owner, '/account/drafts?select=all')
  assert.doesNotMatch(page, /<script>alert|<img/)
  assert.match(page, /message, \$0\.02/)
  assert.match(page, /to be published <time datetime="2027-03-04T05:06:00.000Z">/)
  assert.equal(page.match(/ checked>/g)?.length, 2)
  assert.match(page, /<details><summary>Read the whole text/)
})

test('the owner can decline a scheduled draft, also one that needs no approval', async () => {
  const author = await createAuthor(service, 1_000_000)
  const { id } = await submitDraftOf(author.client, { publishAt: new Date(service.clock.now().getTime() + dayMs) })
  const owner = await openOwner(service, author.id)
  assert.match(await read(owner, '/account/drafts'), new RegExp(`value="decline ${id}"`))
  await owner.post('/account/drafts', { one: `decline ${id}` })
  assert.deepEqual(await states(author), { declined: 1 })
})

test('the page warns if the balance or a cap does not cover the drafts, or the account is banned', async () => {
  const author = await createAuthor(service, 3 * price)
  await seedDrafts(service, author.id, 3)
  const owner = await openOwner(service, author.id)
  assert.doesNotMatch(await read(owner, '/account/drafts'), /does not cover/)
  await seedDrafts(service, author.id, 1)
  assert.match(await read(owner, '/account/drafts'), /The balance does not cover all of these drafts/)
  await service.asOwner('update api_keys set daily_cap_micros = $2 where account_id = $1', [author.id, 2 * price])
  assert.match(await read(owner, '/account/drafts'), /The daily cap of .* does not cover its drafts/)
  await service.asOwner("update accounts set standing = 'banned' where id = $1", [author.id])
  assert.match(await read(owner, '/account/drafts'), /This account is banned/)
})

test('an emailed link opens the drafts without a code, changes nothing by itself, and shows nothing else', async () => {
  const author = await createAuthor(service, 123_450_000)
  const draft = await submitDraftOf(author.waiting)
  const token = await seedDraftLink(service, author.id)
  const { browser, opened } = await openLinked(token)
  assert.deepEqual([opened.status, opened.location], [303, '/drafts'])
  for (let scan = 0; scan < 3; scan++) await openLinked(token)
  assert.deepEqual(await states(author), { awaiting_approval: 1 })
  const { page } = await browser.get('/drafts')
  assert.ok(page.includes(draft.id))
  assert.doesNotMatch(page, /123\.45|Harbour Notices|owner@example\.com/)
  const { location } = await browser.submit('/drafts', { one: `approve ${draft.id}` })
  assert.equal(location, '/drafts?did=approve&decided=1&unchanged=0')
  await service.settle()
  assert.deepEqual(await states(author), { submitted: 1 })
  const after = await browser.get('/drafts')
  assert.ok(!after.page.includes('post_'), 'the link shows no posts')
  assert.deepEqual([(await browser.get('/account')).location], ['/sign-in'])
})

test('a form of the linked page needs its token, from this origin', async () => {
  const author = await createAuthor(service)
  const draft = await submitDraftOf(author.waiting)
  const { browser } = await openLinked(await seedDraftLink(service, author.id))
  const body = new URLSearchParams({ one: `approve ${draft.id}` })
  const own = { origin: service.accountPageUrl, 'sec-fetch-site': 'same-origin' }
  assert.equal((await browser.send('/drafts', { method: 'POST', body, headers: own })).status, 403)
  await browser.get('/drafts')
  assert.equal(
    (await browser.send('/drafts', { method: 'POST', body, headers: { origin: 'https://evil.example' } })).status,
    403,
  )
  assert.deepEqual(await states(author), { awaiting_approval: 1 })
})

test('a link ends after seven days, with the address that it was sent to, and with the account', async () => {
  const author = await createAuthor(service)
  await submitDraftOf(author.waiting)
  const open = async (token: string) => (await openLinked(token)).opened.status
  const token = await seedDraftLink(service, author.id)
  const { browser } = await openLinked(token)
  service.clock.setOffset(draftLimits.linkDays * dayMs - 60_000)
  assert.equal(await open(token), 303)
  service.clock.setOffset(draftLimits.linkDays * dayMs + 1_000)
  assert.deepEqual([await open(token), (await browser.get('/drafts')).status], [410, 401])
  service.clock.setOffset(0)
  assert.equal(await open('A'.repeat(43)), 410)
  await service.asOwner('update accounts set email = $2, email_verified_at = $3 where id = $1', [
    author.id,
    'new@example.com',
    new Date(service.clock.now().getTime() + 1_000),
  ])
  assert.deepEqual([await open(token), (await browser.get('/drafts')).status], [410, 401])
  service.clock.setOffset(5_000)
  const { clock, accountPageUrl, workerDb: db } = service
  const link = await createDraftLink(db, { accountId: author.id, accountPageUrl, at: clock.now() })
  const fresh = link.split('/d/')[1] as string
  assert.equal(await open(fresh), 303)
  const owner = await openOwner(service, author.id)
  await owner.post('/account/deletion', { word: 'DELETE' })
  assert.equal(await open(fresh), 410)
  service.clock.setOffset(0)
})

test('the cookie of a linked page lasts an hour and is not readable by scripts', async () => {
  const author = await createAuthor(service)
  const { opened } = await openLinked(await seedDraftLink(service, author.id))
  assert.match(
    String(opened.headers.get('set-cookie')),
    /^broadside_drafts=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax/,
  )
})
