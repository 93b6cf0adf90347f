import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { readCode } from '../../src/accounts/sign-in/codes.ts'
import { csrfTokenOf } from '../../src/accounts/sign-in/tokens.ts'
import { kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { ownerRoutes } from '../../src/owner-page/routes.ts'
import { openSealing } from '../../src/platform/sealing.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import { openOwner, ownerWith } from '../../tooling/clients/owner.ts'
import { newSecretsKey, type Service, startService } from '../../tooling/environment/service.ts'
import { callOperation } from '../support/http/request.ts'
import {
  askFor,
  fingerprint,
  nameOf,
  type Owned,
  type OwnerRoute,
  seedOwned,
  strayExamples,
} from '../support/owner-page/routes.ts'

const secretsKeys = newSecretsKey('test')
const sealing = openSealing(settings.SECRETS_KEYS.parse(secretsKeys))
let service: Service
/** The account that all callers try to access. */
let owned: Owned
let stranger: Owned
let held: Awaited<ReturnType<typeof seedHeldCase>>

before(async () => {
  service = await startService({ settings: { SECRETS_KEYS: secretsKeys } })
  owned = await seedOwned(service)
  stranger = await seedOwned(service)
  held = await seedHeldCase()
})
after(() => service?.[Symbol.asyncDispose]())

/** The callers' credentials. The visit tokens and the key belong to the account; the sessions have expired. */
async function seedHeldCase() {
  const { account } = owned
  const opened = await fetch(account.account_url, { redirect: 'manual' })
  const visit = /broadside_visit=([\w-]+)/.exec(opened.headers.getSetCookie().join())?.[1] ?? ''
  const [expired, ended] = [await openOwner(service, account.id), await openOwner(service, account.id)]
  await ended.post('/sign-out')
  await service.asOwner(
    "update owner_sessions set last_seen_at = last_seen_at - interval '31 minutes' where token_hash = sha256($1)",
    [expired.token],
  )
  return { visit, expired: expired.token, ended: ended.token, key: account.api_key }
}

type Sent = { cookie?: string; authorization?: string; csrf?: string }
const session = (token: string) => `broadside_owner=${token}`
const visited = (token: string) => `broadside_visit=${token}`

/** All callers but the owner: their requests, with the best form token they can make. */
const outsiders: Record<string, () => Sent> = {
  nothing: () => ({}),
  'a visit only': () => ({ cookie: visited(held.visit), csrf: csrfTokenOf(held.visit) }),
  'the API key as a bearer token': () => ({ authorization: `Bearer ${held.key}`, csrf: csrfTokenOf(held.key) }),
  'a visit and the API key': () => ({
    cookie: visited(held.visit),
    authorization: `Bearer ${held.key}`,
    csrf: csrfTokenOf(held.visit),
  }),
  'the API key as a session': () => ({ cookie: session(held.key), csrf: csrfTokenOf(held.key) }),
  'the visit as a session': () => ({ cookie: session(held.visit), csrf: csrfTokenOf(held.visit) }),
  'a session that has expired': () => ({ cookie: session(held.expired), csrf: csrfTokenOf(held.expired) }),
  'a session that was ended': () => ({ cookie: session(held.ended), csrf: csrfTokenOf(held.ended) }),
  'the session twice': () => ({
    cookie: `${session(owned.owner.token)}; ${session(stranger.owner.token)}`,
    csrf: owned.owner.csrf,
  }),
}

function send({ method }: OwnerRoute, path: string, fields: Record<string, string>, { csrf, ...headers }: Sent) {
  const { accountPageUrl } = service
  return fetch(accountPageUrl + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(method === 'POST' && { origin: accountPageUrl, 'sec-fetch-site': 'same-origin' }) },
    ...(method === 'POST' && { body: new URLSearchParams({ ...fields, ...(csrf && { csrf }) }) }),
  })
}

test('every route that needs more than its path has an example, and no example is unused', () => {
  assert.deepEqual(strayExamples(), { routes: [], lines: [] })
  assert.ok(ownerRoutes.length > 30)
})

test('routes open to anyone change nothing of an account', () => {
  const open = ownerRoutes.filter(({ needs }) => needs !== 'session' && needs !== 'drafts').map(nameOf)
  assert.deepEqual(open.sort(), [
    'GET /',
    'GET /connect/:request',
    'GET /d/:token',
    'GET /device',
    'GET /find-account',
    'GET /goodbye',
    'GET /o/:token',
    'GET /oauth/authorize',
    'GET /sign-in',
    'POST /connect/account',
    'POST /connect/code',
    'POST /connect/email',
    'POST /connect/sign-up',
    'POST /device',
    'POST /find-account',
    'POST /sign-in',
    'POST /sign-in/code',
  ])
})

const owners = ownerRoutes.filter(({ needs }) => needs === 'session')
const deciders = ownerRoutes.filter(({ needs }) => needs === 'drafts')
const decides = (token: string) => `broadside_drafts=${token}`

suite('the authorisation matrix of the owner page', () => {
  for (const [caller, sent] of Object.entries(outsiders))
    test(`with ${caller}, no page is shown and nothing is done`, async () => {
      const before = await fingerprint(service)
      for (const route of owners) {
        const { path, fields } = askFor(route, owned)
        const { status, headers } = await send(route, path, fields, sent())
        const expected = route.method === 'GET' ? [303, '/sign-in'] : [401, null]
        assert.deepEqual([status, headers.get('location')], expected, nameOf(route))
      }
      assert.equal(await fingerprint(service), before)
    })

  test('with another account’s session, the named objects do not exist', async () => {
    const before = await fingerprint(service)
    // An app asks whoever is signed in, so its request belongs to nobody.
    for (const route of owners.filter(({ path }) => path.includes(':') && path !== '/connect/:request')) {
      const { path, fields } = askFor(route, owned)
      const other = await openOwner(service, stranger.account.id)
      const { status } = route.method === 'GET' ? await other.get(path) : await other.post(path, fields)
      assert.equal(status, 404, nameOf(route))
    }
    await service.asOwner('delete from owner_sessions where account_id = $1 and token_hash <> sha256($2)', [
      stranger.account.id,
      stranger.owner.token,
    ])
    assert.equal(await fingerprint(service), before)
  })

  test('with another account’s session, every other action affects that account', async () => {
    const mine = () => readAccount(owned.account.id)
    const before = await mine()
    for (const route of owners.filter(({ path, method }) => method === 'POST' && !path.includes(':'))) {
      const other = await seedOwned(service)
      const { path, fields } = askFor(route, owned)
      await other.owner.post(path, fields)
    }
    assert.deepEqual(await mine(), before)
  })

  const outsidersOfDrafts: typeof outsiders = {
    ...outsiders,
    'the owner’s session': () => ({ cookie: session(owned.owner.token), csrf: owned.owner.csrf }),
    'the visit as a link to drafts': () => ({ cookie: decides(held.visit), csrf: csrfTokenOf(held.visit) }),
    'the API key as a link to drafts': () => ({ cookie: decides(held.key), csrf: csrfTokenOf(held.key) }),
    'the session as a link to drafts': () => ({ cookie: decides(owned.owner.token), csrf: owned.owner.csrf }),
  }
  for (const [caller, sent] of Object.entries(outsidersOfDrafts))
    test(`with ${caller}, the page of an emailed link shows no drafts and decides nothing`, async () => {
      const before = await fingerprint(service)
      for (const route of deciders) {
        const response = await send(route, route.path, { one: `approve ${owned.draftId}` }, sent())
        assert.equal(response.status, 401, nameOf(route))
        assert.doesNotMatch(await response.text(), /ferry/)
      }
      assert.equal(await fingerprint(service), before)
    })

  for (const route of ownerRoutes)
    test(`signed in, ${nameOf(route)} works`, async () => {
      const own = route.method === 'GET' ? owned : await seedOwned(service)
      const { path, fields, status } = askFor(route, own)
      const link = await linkFor(route, own)
      const { token, csrf } = own.owner
      const cookie = [session(token), link.cookie].filter(Boolean).join('; ')
      const response = await send(route, path, fields, { cookie, csrf: link.csrf || csrf })
      assert.equal(response.status, status, await response.text())
      assert.notEqual(response.headers.get('location'), route.needs === 'session' ? '/sign-in' : '')
    })
})

/** What a route needs besides the session. */
async function linkFor({ needs }: OwnerRoute, own: Owned) {
  const { draftToken, mailbox } = own.subjects
  if (needs === 'mailbox') return { cookie: `broadside_mailbox=${mailbox}`, csrf: csrfTokenOf(mailbox) }
  if (needs === 'drafts') return { cookie: decides(draftToken), csrf: csrfTokenOf(draftToken) }
  return needs === 'visit' ? visitOf(own) : { cookie: '', csrf: '' }
}

async function visitOf({ account }: Owned) {
  const opened = await fetch(account.account_url, { redirect: 'manual' })
  const token = /broadside_visit=([\w-]+)/.exec(opened.headers.getSetCookie().join())?.[1] ?? ''
  return { cookie: visited(token), csrf: csrfTokenOf(token) }
}

const readAccount = (id: string) =>
  service.asOwner(
    `select accounts.*, (select json_agg(k order by k.id) from api_keys k where k.account_id = accounts.id) as keys,
       (select json_agg(s order by s.id) from owner_sessions s where s.account_id = accounts.id) as sessions,
       (select json_agg(p order by p.id) from payments p where p.account_id = accounts.id) as payments
     from accounts where id = $1`,
    [id],
  )

test('an agent with the link and a key cannot perform any owner action by any route', async () => {
  // The last use of a key is recorded occasionally, even if it gives no access.
  await service.client(held.key).getAccount()
  const before = await fingerprint(service)
  const jobs = () => service.asOwner("select name from pgboss.job_common where name !~ '^(mail|forget|expire)'")
  const queued = await jobs()
  const { key, visit } = held
  const tokens = [key, visit, owned.account.account_url.split('/o/')[1] ?? '', 'A'.repeat(43)]
  let tried = 0
  for (const route of owners.filter(({ method }) => method === 'POST'))
    for (const token of tokens) {
      const { path, fields } = askFor(route, owned)
      const cookie = [session(token), visited(visit)].join('; ')
      const response = await send(route, path, fields, {
        cookie,
        authorization: `Bearer ${key}`,
        csrf: csrfTokenOf(token),
      })
      assert.equal(response.status, 401, nameOf(route))
      tried += 1
    }
  const operations = kinds.flatMap((kind) => operationsOf(kind).map((operation) => ({ kind, operation })))
  for (const { kind, operation } of operations.filter(({ operation: { access } }) => access === 'owner'))
    for (const token of tokens) {
      const headers = { authorization: `Bearer ${token}`, 'x-csrf-token': csrfTokenOf(token), cookie: session(token) }
      for (const base of [String(service.baseUrls[kind.name]), service.accountPageUrl]) {
        const named = { ...operation, examples: { ...operation.examples, params: { id: owned.subjects.key } } }
        assert.equal((await callOperation(base, named, { headers })).status, 401, operation.id)
        tried += 1
      }
    }
  assert.ok(tried > 40, `${tried} tries`)
  assert.equal(await fingerprint(service), before)
  assert.deepEqual(await jobs(), queued)
})

test('an agent with the link can request codes and guess five times; its owner can still sign in', async () => {
  const { account } = await seedOwned(service)
  const agent = await visitOf({ account } as Owned)
  const post = (path: string, fields = {}, sent: Sent = agent) => {
    const route = ownerRoutes.find((one) => one.method === 'POST' && one.path === path)
    assert.ok(route)
    return send(route, path, fields, sent)
  }
  assert.equal((await post('/sign-in/code')).status, 303)
  const sessions = () => service.asOwner('select id from owner_sessions where account_id = $1', [account.id])
  const before = await sessions()
  for (let guess = 0; guess < 20; guess += 1) {
    // Right once in 200,000 runs.
    assert.equal((await post('/sign-in', { code: String(guess).padStart(6, '0') })).status, 422)
  }
  const [{ tries } = { tries: 0 }] = await service.asOwner<{ tries: number }>(
    'select tries from owner_codes where account_id = $1',
    [account.id],
  )
  assert.ok(tries <= 5)
  assert.deepEqual(await sessions(), before)

  const owner = await visitOf({ account } as Owned)
  assert.equal((await post('/sign-in/code', {}, owner)).status, 303)
  const [sent] = await service.asOwner<{ id: number }>('select max(id)::int as id from owner_codes')
  const mailed = await readCode(service.workerDb, sealing, { id: Number(sent?.id), at: service.clock.now() })
  const entered = await post('/sign-in', { code: String(mailed?.code) }, owner)
  assert.deepEqual([entered.status, entered.headers.get('location')], [303, '/account'])
})

test('the owner’s session is the same on the page and, as a bearer token, in the API', async () => {
  const { owner, account } = await seedOwned(service)
  const asBearer = () =>
    fetch(`${service.baseUrl}/v1/manage/session`, { headers: { authorization: `Bearer ${owner.token}` } })
  const found = (await (await asBearer()).json()) as { account_id: string }
  assert.equal(found.account_id, account.id)
  await ownerWith(service, owner.token).post('/sign-out')
  assert.equal((await asBearer()).status, 401)
})
