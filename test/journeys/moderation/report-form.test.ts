import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { kinds } from '../../../src/kinds/index.ts'
import { policyCategoryIds } from '../../../src/policy/policy.ts'
import { openStaff } from '../../../tooling/clients/staff.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { read } from '../../support/desk/read-pages.ts'
import { openReportFixture, type ReportFixture } from '../../support/desk/report-fixture.ts'
import { isLabelled, mainText, metaOf } from '../../support/pages/read-page.ts'
import { htmlFaults } from '../../support/pages/valid-formats.ts'
import { seedListedPost } from '../../support/posts/create-post.ts'
import { tricks } from '../../support/posts/hostile-text.ts'

let service: Service
let here: ReportFixture
let accountId: string
before(async () => {
  service = await startService({ reportsPerAddress: 20 })
  accountId = (await service.createAccount()).id
  here = openReportFixture(service, accountId)
})
after(() => service[Symbol.asyncDispose]())
beforeEach(() => service.asOwner('delete from allowance_uses'))

const asPerson = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const siteOf = (kind: string) => String(service.baseUrls[kind])
const formAt = (id: string, kind = 'message') => `${siteOf(kind)}/p/${id}/report`

async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { ...init, headers: { ...asPerson, ...init.headers } })
  const page = await response.text()
  return { status: response.status, headers: response.headers, page, text: mainText(page) }
}

const send = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  ask(url, { method: 'POST', body: new URLSearchParams(fields), headers })

const reportsOf = (id: string) =>
  service.asOwner('select category, detail, contact_email, account_id from reports where post_id = $1', [id])

suite('the report form', () => {
  test('is on every site: the post’s headline, every category and no cookie', async () => {
    for (const { name, presentation, examples } of kinds) {
      const id = await here.seed('published', name)
      const { status, headers, page, text } = await ask(formAt(id, name))
      assert.equal(status, 200, name)
      assert.ok(text.includes(presentation.headline(examples[0]).slice(0, 30)), name)
      assert.ok(isLabelled(page))
      for (const category of [...policyCategoryIds, 'other'])
        assert.ok(page.includes(`<input type="radio" name="category" value="${category}" required>`), category)
      assert.equal(metaOf(page, 'robots'), 'noindex')
      assert.deepEqual(htmlFaults(page), [])
      assert.doesNotMatch(page, /<script/)
      assert.deepEqual([headers.get('cache-control'), headers.get('set-cookie')], ['no-store', null])
      assert.match(String(headers.get('content-security-policy')), /form-action 'self'; frame-ancestors 'none'/)
      assert.equal((await ask(formAt(id, name), { method: 'HEAD' })).status, 200)
    }
  })

  test('files a report that reaches the desk, and gives a receipt', async () => {
    const id = await here.seed()
    const fields = {
      category: 'scam_fraud',
      detail: 'The second line.\r\nIt asks for a fee.',
      contact_email: ' reader@example.com ',
    }
    const { status, page, text } = await send(formAt(id), fields)
    assert.equal(status, 202)
    const report = /rep_[0-9a-z]{26}/.exec(text)?.[0]
    assert.match(text, /Report received.*Scams and fraud.*What happens next/)
    assert.deepEqual(htmlFaults(page), [])
    assert.deepEqual(await reportsOf(id), [
      {
        category: 'scam_fraud',
        detail: 'The second line.\nIt asks for a fee.',
        contact_email: 'reader@example.com',
        account_id: null,
      },
    ])
    assert.deepEqual(await service.asOwner('select id from reports where post_id = $1', [id]), [{ id: report }])
    const staff = await openStaff(service)
    const queue = await (await staff.get('/')).text()
    const path = new RegExp(`href="(/cases/[^"]*${id}[^"]*)"`).exec(queue)?.[1]
    assert.ok(path, 'the case is in the queue')
    assert.match(await read(staff, path), /The second line\. It asks for a fee\./)
  })

  test('leaves out what was left empty', async () => {
    const id = await here.seed()
    const { status, text } = await send(formAt(id), { category: 'other', detail: '  ', contact_email: '' })
    assert.equal(status, 202)
    assert.match(text, /You left no email address/)
    assert.deepEqual(await reportsOf(id), [{ category: 'other', detail: null, contact_email: null, account_id: null }])
  })

  test('takes 2,000 characters of any script', async () => {
    const id = await here.seed()
    assert.equal((await send(formAt(id), { category: 'spam', detail: '🛳'.repeat(2_000) })).status, 202)
  })
})

suite('an invalid report', () => {
  test('is explained at its fields, keeps what was written, and is not counted', async () => {
    const id = await here.seed()
    const { status, page, text } = await send(formAt(id), { detail: 'x'.repeat(2_001), contact_email: 'nobody' })
    assert.equal(status, 422)
    assert.match(text, /Your report was not sent\. Correct the marked fields\./)
    for (const [field, fault] of [
      ['category', /Choose a reason\./],
      ['detail', /Your explanation must have 0 to 2000 characters, but has 2001\./],
      ['contact_email', /Enter a valid email address/],
    ] as const) {
      assert.match(page, new RegExp(`aria-describedby="${field}-fault`), field)
      assert.match(new RegExp(`<p class="fault" id="${field}-fault">([^<]*)</p>`).exec(page)?.[1] ?? '', fault)
    }
    assert.ok(page.includes('x'.repeat(2_001)) && page.includes('value="nobody"'))
    assert.deepEqual(htmlFaults(page), [])
    const again = await send(formAt(id), { category: 'spam', contact_email: 'nobody' })
    assert.match(again.page, /value="spam" required checked/)
    assert.deepEqual(await reportsOf(id), [])
    assert.deepEqual(await service.asOwner('select used from allowance_uses where used > 0'), [])
  })

  test('repeats hostile text as text', async () => {
    const id = await here.seed()
    for (const trick of tricks) {
      const { page } = await send(formAt(id), { detail: trick.toWellFormed(), contact_email: trick.toWellFormed() })
      assert.deepEqual(htmlFaults(page), [], trick)
      assert.doesNotMatch(page, /<script|onerror=alert\(1\)>|onload=alert\(1\)>/)
    }
  })

  test('a hostile headline is text too', async () => {
    for (const title of tricks.filter((trick) => /[<>&"']/.test(trick) && !/\p{Cc}/u.test(trick)).slice(0, 20)) {
      const body = { title: `Ad ${title}`.slice(0, 120), body: 'A plain text, long enough.', category: 'other' }
      if (!kinds.find(({ name }) => name === 'classified')?.body.safeParse(body).success) continue
      const id = await seedListedPost(service, {
        kind: 'classified',
        body,
        accountId,
        publishedAt: service.clock.now(),
      })
      const { page } = await ask(formAt(id, 'classified'))
      assert.deepEqual(htmlFaults(page), [], title)
    }
  })
})

suite('no report is filed', () => {
  test('for a post that is unknown, on another site, not public or taken down', async () => {
    const cases: [string, number, RegExp][] = [
      [formAt('post_01jcmzq8e5f7r9t2v4x6y8z0ab'), 404, /This page does not exist/],
      [formAt('nonsense'), 404, /This page does not exist/],
      [formAt(await here.seed('published', 'story')), 404, /This page does not exist/],
      [formAt(await here.seed('review')), 404, /This page does not exist/],
      [formAt(await here.seed('removed')), 410, /This post was taken down/],
    ]
    for (const [url, expected, words] of cases)
      for (const seen of [await ask(url), await send(url, { category: 'spam' })]) {
        assert.equal(seen.status, expected, url)
        assert.match(seen.text, words)
        assert.deepEqual(htmlFaults(seen.page), [])
      }
    const asProgram = await fetch(formAt('nonsense'), { headers: { accept: 'application/json' } })
    assert.equal(((await asProgram.json()) as { code: string }).code, 'post_not_found')
  })

  test('by a form on another site', async () => {
    const id = await here.seed()
    for (const headers of [{ origin: 'https://elsewhere.example' }, { origin: siteOf('story') }]) {
      const { status, page, text } = await send(formAt(id), { category: 'spam' }, headers)
      assert.equal(status, 403)
      assert.match(text, /This form came from another site/)
      assert.deepEqual(htmlFaults(page), [])
    }
    assert.equal((await send(formAt(id), { category: 'spam' }, { origin: siteOf('message') })).status, 202)
    assert.equal((await reportsOf(id)).length, 1)
  })

  test('by another method, in another format, or with a body that is too large', async () => {
    const id = await here.seed()
    const deleted = await ask(formAt(id), { method: 'DELETE' })
    assert.deepEqual([deleted.status, deleted.headers.get('allow')], [405, 'GET, HEAD, POST'])
    const json = await ask(formAt(id), {
      method: 'POST',
      body: JSON.stringify({ category: 'spam' }),
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual([json.status, json.headers.get('accept-post')], [415, 'application/x-www-form-urlencoded'])
    const large = await send(formAt(id), { category: 'spam', detail: 'x'.repeat(40_000) })
    assert.equal(large.status, 413)
    assert.match(large.text, /This form is too large/)
    assert.deepEqual(await reportsOf(id), [])
  })

  test('more than 20 times a day, together with the API', async () => {
    const id = await here.seed()
    for (let count = 0; count < 19; count++) await here.accepted({ post_id: id })
    assert.equal((await send(formAt(id), { category: 'spam' })).status, 202)
    const { status, page, text, headers } = await send(formAt(id), { category: 'spam', detail: 'Look here.' })
    assert.deepEqual([status, headers.get('retry-after')], [429, null])
    assert.match(text, /Daily limit reached\. Your network address has sent 20 reports today/)
    assert.ok(page.includes('Look here.'))
    assert.equal((await here.send({ post_id: id })).status, 429)
    assert.equal((await reportsOf(id)).length, 20)
  })
})
