import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { csrfTokenOf } from '../../src/accounts/sign-in/tokens.ts'
import { ownerRoutes } from '../../src/owner-page/routes.ts'
import { openOwner, openOwnerBrowser } from '../../tooling/clients/owner.ts'
import { newcomer, type Service, startService } from '../../tooling/environment/service.ts'
import { askFor, fingerprint, nameOf, type Owned, type OwnerRoute, seedOwned } from '../support/owner-page/routes.ts'

let service: Service
let owned: Owned
before(async () => {
  service = await startService()
  owned = await seedOwned(service)
})
after(() => service?.[Symbol.asyncDispose]())

const hours = (count: number) => service.clock.setOffset(count * 3_600_000)
const undated = (headers: Headers) => [...headers].filter(([name]) => name !== 'date')
const own = { origin: '', 'sec-fetch-site': 'same-origin' }

suite('enumeration', () => {
  test('the response to an address is the same in bytes and in work, whether or not it has accounts', async () => {
    const known = 'known@example.com'
    await service.client().createAccount({ ...newcomer, email: known })
    const answers = []
    for (const email of [known, 'unknown@example.com', known, known, known]) {
      const browser = openOwnerBrowser(service)
      const before = await writtenRows()
      const { status, location, headers, page } = await browser.submit('/find-account', { email })
      const next = await browser.get(String(location))
      answers.push(JSON.stringify([status, location, page, undated(headers), next.page]))
      const added = Object.entries(await writtenRows()).map(([table, rows]) => [table, rows - (before[table] ?? 0)])
      const written = added.filter(([, rows]) => rows !== 0).sort()
      assert.deepEqual(written, [
        ['job_common', 1],
        ['owner_link_mails', 1],
      ])
    }
    assert.equal(new Set(answers).size, 1)
  })

  /** The rows of each table that the owner page's role may write. */
  async function writtenRows(): Promise<Record<string, number>> {
    const tables = await service.asOwner<{ name: string; table: string }>(
      `select relname as name, oid::regclass::text as table from pg_class
       where relkind in ('r', 'p') and has_any_column_privilege('broadside_owner_page', oid, 'insert, update')`,
    )
    const counts = tables.map(async ({ name, table }) => {
      const [row] = await service.asOwner<{ rows: number }>(`select count(*)::int as rows from ${table}`)
      return [name, row?.rows ?? 0] as const
    })
    return Object.fromEntries(await Promise.all(counts))
  }

  test('an expired link, an unknown link and one of a closed account get the same response', async () => {
    const [expired, closed] = [await service.createAccount(), await service.createAccount()]
    const page = async (url: string) => {
      const response = await fetch(url, { redirect: 'manual' })
      return JSON.stringify([response.status, undated(response.headers), await response.text()])
    }
    await service.asOwner("update accounts set standing = 'closed' where id = $1", [closed.id])
    const ofClosed = await page(closed.account_url)
    hours(1.01)
    const ofExpired = await page(expired.account_url)
    hours(0)
    const unknown = await page(`${service.accountPageUrl}/o/${'A'.repeat(43)}`)
    assert.deepEqual([ofClosed, ofExpired], [unknown, unknown])
    assert.match(unknown, /^\[410,/)
  })

  test('a visit shows the account’s name and only a masked address', async () => {
    const browser = openOwnerBrowser(service)
    await browser.get(owned.account.account_url)
    const { page } = await browser.get('/sign-in')
    assert.match(page, /o…@example\.com/)
    assert.ok(!page.includes(newcomer.email))
  })
})

suite('cross-site forms', () => {
  const posts = ownerRoutes.filter(({ method }) => method === 'POST')
  const acts = posts.filter(({ needs }) => needs === 'session')

  test('without its token, with another session’s token or from another site, no owner form does anything', async () => {
    const other = await openOwner(service, (await service.createAccount()).id)
    const { owner } = owned
    const origin = service.accountPageUrl
    const before = await fingerprint(service)
    const attempts: Record<string, { headers: Record<string, string>; csrf?: string }> = {
      'no token': { headers: { ...own, origin } },
      'an empty token': { headers: { ...own, origin }, csrf: '' },
      'another session’s token': { headers: { ...own, origin }, csrf: other.csrf },
      'a token made of the key': { headers: { ...own, origin }, csrf: csrfTokenOf(owned.account.api_key) },
      'a cross-site page': { headers: { origin, 'sec-fetch-site': 'cross-site' }, csrf: owner.csrf },
      'a page of another port': { headers: { origin, 'sec-fetch-site': 'same-site' }, csrf: owner.csrf },
      'a foreign origin': { headers: { origin: 'https://evil.example' }, csrf: owner.csrf },
      'an origin that begins alike': { headers: { origin: `${origin}.evil.example` }, csrf: owner.csrf },
    }
    for (const [what, { headers, csrf }] of Object.entries(attempts))
      for (const route of acts) {
        const { path, fields } = askFor(route, owned)
        const body = new URLSearchParams({ ...fields, ...(csrf !== undefined && { csrf }) })
        const { status } = await owner.send(path, { method: 'POST', body, headers })
        assert.equal(status, 403, `${what}: ${nameOf(route)}`)
      }
    assert.equal(await fingerprint(service), before)
  })

  test('a form from a signed-out visitor or a visit is accepted only from our own pages', async () => {
    const browser = openOwnerBrowser(service)
    await browser.get(owned.account.account_url)
    await browser.get(`/d/${owned.subjects.draftToken}`)
    browser.cookies.set('broadside_mailbox', owned.subjects.mailbox)
    const tokenFor = ({ needs }: OwnerRoute) =>
      csrfTokenOf(browser.cookies.get(`broadside_${needs === 'nothing' ? 'visit' : needs}`) ?? '')
    const mails = () =>
      service.asOwner('select created_at from owner_codes union all select asked_at from owner_link_mails')
    const drafts = () => service.asOwner('select id, state from drafts')
    const before = [await mails(), await drafts()]
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
    ])
      for (const route of posts.filter(({ needs }) => needs !== 'session')) {
        const { path } = askFor(route, owned)
        const one = `approve ${owned.draftId}`
        const body = new URLSearchParams({ csrf: tokenFor(route), email: newcomer.email, code: '123456', one })
        assert.equal(
          (await browser.send(path, { method: 'POST', body, headers: headers as Record<string, string> })).status,
          403,
          path,
        )
      }
    assert.deepEqual([await mails(), await drafts()], before)
  })

  test('a GET does nothing, even where the same address accepts a form', async () => {
    const before = await fingerprint(service)
    for (const route of ownerRoutes) {
      const { path, fields } = askFor(route, owned)
      const query = new URLSearchParams({ ...fields, csrf: owned.owner.csrf })
      assert.ok((await owned.owner.get(`${path}?${query}`)).status < 500, nameOf(route))
    }
    assert.equal(await fingerprint(service), before)
  })

  test('a form in another content type is refused', async () => {
    const { csrf, send } = owned.owner
    const before = await fingerprint(service)
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
      const headers = { 'content-type': type, origin: service.accountPageUrl }
      const response = await send('/account/sessions/end-all', {
        method: 'POST',
        body: JSON.stringify({ csrf }),
        headers,
      })
      assert.ok([403, 415].includes(response.status), `${type}: ${response.status}`)
    }
    const body = new URLSearchParams({ csrf, filler: 'x'.repeat(20_000) })
    assert.equal((await send('/account/sessions/end-all', { method: 'POST', body })).status, 413)
    assert.equal(await fingerprint(service), before)
  })
})

test('no response can be framed, sniffed or cached, or leak the referrer', async () => {
  const { owner, account } = owned
  const post = { method: 'POST', body: 'csrf=x' }
  const answers = await Promise.all([
    ...ownerRoutes.filter(({ method }) => method === 'GET').map((route) => owner.get(askFor(route, owned).path)),
    ...['/', '/sign-in', '/account', '/nothing-here', '/o/x', '/owner-page.css', '/owner-page.js'].map((path) =>
      fetch(service.accountPageUrl + path, { redirect: 'manual' }),
    ),
    fetch(account.account_url, { redirect: 'manual' }),
    fetch(`${service.accountPageUrl}/sign-out`, post),
    owner.send('/sign-out', post),
    owner.send('/sign-out', { method: 'PUT' }),
    owner.send('/sign-out', { ...post, headers: { 'content-type': 'text/xml' } }),
  ])
  for (const { url, headers } of answers) {
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none';.*frame-ancestors 'none'/, url)
    // The form that connects an app leads on to that app, which may redirect again.
    const leadsElsewhere = /\/connect\/[\w-]{43}$/.test(url)
    assert.match(policy, leadsElsewhere ? /base-uri 'none'; frame-ancestors/ : /base-uri 'none'; form-action 'self'/)
    assert.doesNotMatch(policy, /https?:/)
    assert.doesNotMatch(policy, /unsafe|\*|data:/)
    const others = [
      'x-frame-options',
      'x-content-type-options',
      'referrer-policy',
      'cache-control',
      'cross-origin-opener-policy',
    ]
    assert.deepEqual(
      others.map((name) => headers.get(name)),
      ['DENY', 'nosniff', 'no-referrer', 'no-store', 'same-origin'],
      url,
    )
  }
})

test('nobody is redirected to an address from the request', async () => {
  const evil = ['https://evil.example', '//evil.example', '/\\evil.example', '%2f%2fevil.example']
  const locations: string[] = []
  const keep = (response: Response) => locations.push(response.headers.get('location') ?? '')
  for (const place of evil) {
    const words = new URLSearchParams(
      ['next', 'return', 'return_to', 'redirect', 'url', 'continue'].map((name) => [name, place]),
    )
    for (const path of ['/', '/sign-in', '/account', '/find-account', '/goodbye', `/o/${owned.subjects.token}`])
      keep(await fetch(`${service.accountPageUrl}${path}?${words}`, { redirect: 'manual' }))
    keep(await owned.owner.get(`/sign-in?${words}`))
    keep(await fetch(`${service.accountPageUrl}/${place}`, { redirect: 'manual' }))
    words.set('email', 'nobody@example.com')
    keep(await fetch(`${service.accountPageUrl}/find-account`, { method: 'POST', body: words, redirect: 'manual' }))
  }
  for (const host of ['evil.example', `evil.example:${new URL(service.accountPageUrl).port}`]) {
    const { status, location } = await askAs(host)
    assert.ok(status >= 400, `${host}: ${status}`)
    locations.push(location)
  }
  assert.deepEqual([...new Set(locations)].sort(), ['', '/account', '/find-account', '/sign-in'])
})

/** A request with a Host header that differs from its destination. */
function askAs(host: string): Promise<{ status: number; location: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'x-forwarded-host': host }
    request(`${service.accountPageUrl}/account`, { headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' })
    })
      .on('error', reject)
      .end()
  })
}

test('no link, visit or session token appears in a page, an address, the log or the database', async () => {
  const { account, owner } = await seedOwned(service)
  const link = account.account_url.split('/o/')[1] ?? ''
  const browser = openOwnerBrowser(service)
  const opened = await browser.get(account.account_url)
  const visit = browser.cookies.get('broadside_visit') ?? ''
  const shown = [await browser.get('/sign-in'), await browser.submit('/sign-in/code'), await browser.get('/sign-in')]
  const pages = await Promise.all(['/account', '/account/sessions', '/account/settings'].map((path) => owner.get(path)))
  const texts = [
    ...[opened, ...shown].map(({ page, location }) => `${page} ${location}`),
    ...(await Promise.all(pages.map((one) => one.text()))),
    service.logLines.join(''),
    (await promisify(execFile)('pg_dump', [service.database.adminUrl], { maxBuffer: 64 << 20 })).stdout,
  ]
  for (const secret of [link, visit, owner.token])
    for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret, 'base64url').toString('hex')])
      assert.ok(form.length >= 43 && texts.every((text) => !text.includes(form)))
  const [row] = await service.asOwner<{ sealed: Buffer }>('select sealed from owner_codes where account_id = $1', [
    account.id,
  ])
  assert.doesNotMatch(row?.sealed.toString('latin1') ?? '', /^\d{6}$/)
  assert.equal(
    (await fetch(account.account_url, { redirect: 'manual' })).status,
    303,
    'the link works again within its hour',
  )
})
