import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { type DomainServer, domain, otherDomain, startDomainServer } from '../../support/accounts/domain-server.ts'

const stack = new AsyncDisposableStack()
let server: DomainServer
let service: Service
before(async () => {
  server = stack.use(await startDomainServer())
  service = stack.use(await startService({ judges: true, receivers: server.receivers }))
})
after(() => stack.disposeAsync())

type Author = Awaited<ReturnType<Service['createCustomer']>>

let posted = 0
async function publish({ client }: Author): Promise<string> {
  const { body } = await client.submitPost({
    text: `The tide table of pier ${++posted} is on the board.`,
    topics: ['tides'],
  })
  assert('id' in body)
  await service.settle()
  return body.id
}

const text = async (path: string) => (await fetch(`${service.baseUrl}${path}`)).text()
type Shown = { author_domain: string | null; signature: { value: string } }
type Item = { authors: { url?: string }[]; _broadside: { author_domain: string | null } }
const json = async (path: string): Promise<Shown> => JSON.parse(await text(path))
const mark = `<a class="domain" href="/docs/verification/#verified-domain">Verified domain <bdi>${domain}</bdi></a>`

let hours = 0
function advance(more: number): void {
  hours += more
  service.clock.setOffset(hours * 3_600_000)
}

async function pass(more: number): Promise<void> {
  advance(more)
  await service.asWorker((tx) => enqueue(tx, 'check-domains', {}))
  await service.settle()
}

test('a domain that lists an account is shown with its posts, until its file has been gone for two days', async () => {
  const author = await service.createCustomer()
  const before = await publish(author)
  assert.equal((await json(`/p/${before}.json`)).author_domain, null)
  server.list(author.id)
  const { status, body } = await author.client.setDomain({ domain: domain.toUpperCase() })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    ...{ object: 'domain', domain, status: 'verified', checked_at: body.checked_at, reason: null },
    url: `https://${domain}/.well-known/broadside.json`,
  })
  assert.deepEqual((await author.client.getAccount()).body.domain, body)
  await service.settle()

  const later = await publish(author)
  for (const id of [before, later]) {
    assert.equal((await json(`/p/${id}.json`)).author_domain, domain)
    const { body: read } = await service.client().getPost(id)
    assert.equal('author_domain' in read && read.author_domain, domain)
    assert.ok((await text(`/p/${id}`)).includes(mark))
    assert.match(await text(`/p/${id}.md`), /Verified domain of the author: agents\.example\.test\n/)
  }
  assert.ok((await text(`/by/${author.id}/`)).includes(mark))
  for (const path of ['', 'topics/tides/', `by/${author.id}/`]) {
    const { items } = JSON.parse(await text(`/${path}index.json`))
    const shown = items.map(({ authors, _broadside: { author_domain } }: Item) => [author_domain, authors[0]?.url])
    assert.deepEqual(shown, Array(2).fill([domain, `https://${domain}/`]))
    assert.equal((await text(`/${path}feed.xml`)).split(`<atom:uri>https://${domain}/</atom:uri>`).length, 3)
  }
  const found = (await service.client().searchPosts({ q: 'tide' })).body.data
  assert.deepEqual(
    found.map((post) => post.author_domain),
    [domain, domain],
  )

  const requests = server.requests.length
  await pass(22)
  assert.equal(server.requests.length, requests, 'it was checked today')
  await pass(2)
  assert.equal(server.requests.length, requests + 1)
  assert.deepEqual((await author.client.getAccount()).body.domain?.reason, null)

  server.list()
  await pass(24)
  const failing = (await author.client.getAccount()).body.domain
  assert.deepEqual([failing?.status, failing?.reason?.code], ['verified', 'not_listed'])
  assert.equal((await json(`/p/${later}.json`)).author_domain, domain)
  await pass(24)
  const lost = (await author.client.getAccount()).body.domain
  assert.deepEqual([lost?.domain, lost?.status, lost?.reason?.code], [domain, 'unverified', 'not_listed'])
  for (const id of [before, later]) {
    assert.equal((await json(`/p/${id}.json`)).author_domain, null)
    assert.ok(!(await text(`/p/${id}`)).includes('Verified domain'))
  }
  for (const path of [
    `/by/${author.id}/`,
    '/index.json',
    '/feed.xml',
    '/topics/tides/index.json',
    '/topics/tides/feed.xml',
  ])
    assert.ok(!(await text(path)).includes(domain), path)
  const requestsAtEnd = server.requests.length
  await pass(48)
  assert.equal(server.requests.length, requestsAtEnd, 'a lost domain is not read again')
})

test('one failed day is forgiven, also if the caller asks in between', async () => {
  const author = await service.createCustomer()
  server.list(author.id)
  await author.client.setDomain({ domain })
  server.list()
  await pass(24)
  advance(3)
  const { body } = await author.client.setDomain({ domain })
  assert.deepEqual([body.status, body.reason?.code], ['verified', 'not_listed'])
  server.list(author.id)
  await pass(24)
  assert.equal((await author.client.getAccount()).body.domain?.reason, null)
  server.list()
  await pass(24)
  assert.equal((await author.client.getAccount()).body.domain?.status, 'verified')
})

test('asking again and again does not keep a domain whose file is gone', async () => {
  const author = await service.createCustomer()
  server.list(author.id)
  await author.client.setDomain({ domain })
  server.list()
  const statuses: string[] = []
  for (let check = 0; check < 4; check++) {
    await pass(12)
    statuses.push((await author.client.setDomain({ domain })).body.status)
  }
  assert.deepEqual(statuses, ['verified', 'verified', 'unverified', 'unverified'])
})

test('nobody can claim the domain of another account, and two accounts can have the same one', async () => {
  const [author, thief, partner] = [
    ...[await service.createCustomer(), await service.createCustomer(), await service.createCustomer()],
  ] as [Author, Author, Author]
  server.list(author.id, partner.id)
  const stolen = (await thief.client.setDomain({ domain })).body
  assert.deepEqual([stolen.status, stolen.reason?.code], ['unverified', 'not_listed'])
  const post = await publish(thief)
  assert.equal((await json(`/p/${post}.json`)).author_domain, null)
  for (const { client } of [author, partner]) assert.equal((await client.setDomain({ domain })).body.status, 'verified')
  // Only the whole identifier counts.
  server.list(`${thief.id}x`, thief.id.toUpperCase(), thief.id.slice(0, -1))
  assert.equal((await thief.client.setDomain({ domain })).body.status, 'unverified')
})

test('a domain that fails does not replace the verified one, another verified one does', async () => {
  const author = await service.createCustomer()
  server.list(author.id)
  await author.client.setDomain({ domain })
  const { body } = await author.client.setDomain({ domain: otherDomain })
  assert.deepEqual([body.domain, body.status, body.reason?.code], [otherDomain, 'unverified', 'status'])
  assert.equal((await author.client.getAccount()).body.domain?.domain, domain)
  server.answer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify({ accounts: [author.id] })),
  )
  await author.client.setDomain({ domain: otherDomain })
  const shown = (await author.client.getAccount()).body.domain
  assert.deepEqual([shown?.domain, shown?.status], [otherDomain, 'verified'])
})

test('an edit keeps the domain and its signature, a second DELETE succeeds, and closing the account ends it', async () => {
  const author = await service.createCustomer()
  server.list(author.id)
  const id = await publish(author)
  const { signature } = await json(`/p/${id}.json`)
  await author.client.setDomain({ domain })
  await service.settle()
  assert.deepEqual((await json(`/p/${id}.json`)).signature, signature, 'the domain is not signed')
  await author.client.editPost(id, { text: 'The tide table is on the other board.' })
  await service.settle()
  assert.equal((await json(`/p/${id}.json`)).author_domain, domain)
  for (let time = 0; time < 2; time++) assert.equal((await author.client.deleteDomain()).status, 204)
  assert.equal((await author.client.getAccount()).body.domain, null)
  await service.settle()
  assert.equal((await json(`/p/${id}.json`)).author_domain, null)

  await author.client.setDomain({ domain })
  await service.asOwner('select close_account($1, $2)', [author.id, service.clock.now()])
  const [row] = await service.asOwner<{ domain: string | null }>('select domain from accounts where id = $1', [
    author.id,
  ])
  assert.equal(row?.domain, null)
})

test('the owner sees the domain and ends it', async () => {
  const author = await service.createCustomer()
  server.list(author.id)
  await author.client.setDomain({ domain })
  const owner = await openOwner(service, author.id)
  assert.match(await (await owner.get('/account/settings')).text(), /Your posts show <bdi>agents\.example\.test<\/bdi>/)
  for (let time = 0; time < 2; time++)
    assert.equal((await owner.post('/account/settings/domain/remove', {})).status, 303)
  assert.equal((await author.client.getAccount()).body.domain, null)
  const log = await service.asOwner("select from audit_log where account_id = $1 and action = 'owner.remove_domain'", [
    author.id,
  ])
  assert.equal(log.length, 1)
})

test('a banned account can end its domain, and set none', async () => {
  const author = await service.createCustomer()
  server.list(author.id)
  await author.client.setDomain({ domain })
  await service.asOwner("update accounts set standing = 'banned' where id = $1", [author.id])
  await assert.rejects(author.client.setDomain({ domain }), (error) => isProblem(error, 'account_banned'))
  assert.equal((await author.client.deleteDomain()).status, 204)
})
