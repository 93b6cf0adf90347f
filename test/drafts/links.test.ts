import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { csrfTokenOf } from '../../src/accounts/sign-in/tokens.ts'
import { ownerRoutes } from '../../src/owner-page/routes.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { askFor, fingerprint, nameOf, type Owned, type OwnerRoute, seedOwned } from '../support/owner-page/routes.ts'

let service: Service
let owned: Owned
let stranger: Owned
before(async () => {
  service = await startService()
  owned = await seedOwned(service)
  stranger = await seedOwned(service)
})
after(() => service?.[Symbol.asyncDispose]())

const owners = ownerRoutes.filter(({ needs }) => needs === 'session')
const deciders = ownerRoutes.filter(({ needs }) => needs === 'drafts')
const cookieOf = (name: 'drafts' | 'owner' | 'visit', token: string) => `broadside_${name}=${token}`

function send({ method }: OwnerRoute, path: string, fields: Record<string, string>, [cookie, token]: [string, string]) {
  const { accountPageUrl } = service
  return fetch(accountPageUrl + path, {
    method,
    redirect: 'manual',
    headers: { cookie, ...(method === 'POST' && { origin: accountPageUrl, 'sec-fetch-site': 'same-origin' }) },
    ...(method === 'POST' && { body: new URLSearchParams({ ...fields, csrf: csrfTokenOf(token) }) }),
  })
}

test('an emailed link to drafts opens no other page and does nothing else', async () => {
  const before = await fingerprint(service)
  const { draftToken } = owned.subjects
  for (const name of ['drafts', 'owner', 'visit'] as const)
    for (const route of owners) {
      const { path, fields } = askFor(route, owned)
      const { status } = await send(route, path, fields, [cookieOf(name, draftToken), draftToken])
      assert.equal(status, route.method === 'GET' ? 303 : 401, nameOf(route))
    }
  assert.equal(await fingerprint(service), before)
})

test('with another account’s session or link, an account’s drafts are neither shown nor decided', async () => {
  const read = () => service.asOwner('select * from drafts where id = $1', [owned.draftId])
  const before = await read()
  const { draftToken } = stranger.subjects
  const { token } = stranger.owner
  const forms = [
    { one: `approve ${owned.draftId}` },
    { one: `decline ${owned.draftId}` },
    { decision: 'approve', [owned.draftId]: 'on' },
    { decision: 'decline', [owned.draftId]: 'on' },
  ]
  for (const route of [...deciders, ...owners.filter(({ path }) => path === '/account/drafts')])
    for (const fields of forms) {
      const own: [string, string] =
        route.needs === 'drafts' ? [cookieOf('drafts', draftToken), draftToken] : [cookieOf('owner', token), token]
      const response = await send(route, route.path, fields, own)
      assert.equal(response.status, route.method === 'GET' ? 200 : 303)
      assert.ok(!(await response.text()).includes(owned.draftId))
    }
  assert.deepEqual(await read(), before)
})
