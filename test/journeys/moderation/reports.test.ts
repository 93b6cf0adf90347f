import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { kinds } from '../../../src/kinds/index.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { assertProblem, refusalOf } from '../../../tooling/problem-document.ts'
import { openReportFixture, type ReportFixture } from '../../support/desk/report-fixture.ts'

let service: Service
let author: Awaited<ReturnType<Service['createAccount']>>
let here: ReportFixture
before(async () => {
  service = await startService()
  author = await service.createAccount()
  here = openReportFixture(service, author.id)
})
after(() => service[Symbol.asyncDispose]())

async function faultsOf(body: object): Promise<unknown> {
  const refusal = await refusalOf(await here.send(body))
  assertProblem(refusal, 'validation_failed')
  return JSON.parse(refusal.body).errors
}

suite('a report is accepted', () => {
  test('by the post’s id, with or without a key, through any site', async () => {
    const id = await here.seed('published', 'story')
    for (const { name } of kinds) await here.accepted({ post_id: id }, { at: String(service.baseUrls[name]) })
    await here.accepted(
      { post_id: id, category: 'other', detail: 'Line one.\nLine two.', contact_email: 'reader@example.com' },
      { key: author.api_key },
    )
    const stored = await service.asOwner(
      'select category, detail, contact_email, account_id from reports where post_id = $1',
      [id],
    )
    assert.deepEqual(stored.at(-1), {
      category: 'other',
      detail: 'Line one.\nLine two.',
      contact_email: 'reader@example.com',
      account_id: author.id,
    })
    assert.deepEqual(stored[0], { category: 'spam', detail: null, contact_email: null, account_id: null })
  })

  test('by the address of the page in each of its forms, also from another site', async () => {
    const id = await here.seed('published', 'event')
    const page = `${service.baseUrls['event']}/p/${id}`
    const forms = [page, `${page}.json`, `${page}.md`, `${page}.ics`, `${page}?from=feed`, `${page}#credit`]
    for (const url of [...forms, page.replace('http:', 'HTTP:').replace('localhost', 'LOCALHOST')])
      await here.accepted({ url })
    const [one] = await here.casesOf(id)
    assert.equal(one?.reports, 7)
  })

  test('with a text of 2,000 code points, or none', async () => {
    const id = await here.seed()
    for (const detail of ['🛳'.repeat(2_000), '']) await here.accepted({ post_id: id, detail })
  })
})

suite('a report is refused', () => {
  test('of a post that was never public, for every caller', async () => {
    const missing = 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'
    for (const id of [missing, await here.seed('queued'), await here.seed('review'), await here.seed('rejected')])
      for (const key of [undefined, author.api_key])
        assertProblem(await refusalOf(await here.send({ post_id: id }, key ? { key } : {})), 'post_not_found')
  })

  test('of a post that is gone', async () => {
    const deleted = await here.seed()
    await author.client.deletePost(deleted)
    for (const id of [deleted, await here.seed('removed')])
      assertProblem(await refusalOf(await here.send({ post_id: id })), 'post_gone')
  })

  test('when the address names a post of another site', async () => {
    const id = await here.seed('published', 'story')
    assertProblem(await refusalOf(await here.send({ url: `${service.baseUrl}/p/${id}` })), 'post_not_found')
  })

  test('when the address is not the page of a post, with a hint on what to send', async () => {
    const id = await here.seed()
    const detail = `must be the URL of a post on one of our sites, such as ${Object.values(service.baseUrls)[0]}/p/post_…`
    const wrong = [
      `https://elsewhere.example/p/${id}`,
      `${service.baseUrl}/`,
      `${service.baseUrl}/p/${id}.xml`,
      `${service.baseUrl}/p/${id}/more`,
      `${service.baseUrl}/p/post_short`,
      `${service.baseUrl.replace('http:', 'ftp:')}/p/${id}`,
      id,
      '',
    ]
    for (const url of wrong) assert.deepEqual(await faultsOf({ url }), [{ pointer: '#/url', detail }], url)
  })

  test('when its fields are invalid', async () => {
    const post_id = await here.seed()
    const url = `${service.baseUrl}/p/${post_id}`
    const wrong: [object, string][] = [
      [{}, '#/post_id'],
      [{ post_id, url }, '#/url'],
      [{ post_id: 'post_short' }, '#/post_id'],
      [{ post_id, category: 'rudeness' }, '#/category'],
      [{ post_id, detail: 'x'.repeat(2_001) }, '#/detail'],
      [{ post_id, detail: 'hidden\u202eorders' }, '#/detail'],
      [{ post_id, contact_email: 'nobody' }, '#/contact_email'],
      [{ post_id, reason: 'spam' }, '#/reason'],
    ]
    for (const [body, pointer] of wrong) {
      const faults = (await faultsOf(body)) as { pointer: string }[]
      assert.deepEqual(
        faults.map((fault) => fault.pointer),
        [pointer],
      )
    }
    assert.deepEqual(await here.casesOf(post_id), [])
  })
})

test('an address can send 20 reports a day over all sites; a refused one does not count; the next day starts at zero', async () => {
  await using counting = await startService({ reportsPerAddress: 20 })
  counting.clock.setOffset(Date.parse('2030-06-01T12:00:00Z') - Date.now())
  const { id: accountId, api_key: key } = await counting.createAccount()
  const there = openReportFixture(counting, accountId)
  const post_id = await there.seed()
  const at = (index: number) => ({ at: String(Object.values(counting.baseUrls)[index % kinds.length]) })
  for (let count = 0; count < 3; count++) assert.equal((await there.send({ post_id: 'post_x' }, at(count))).status, 422)
  assert.equal((await there.send({ post_id: 'post_01jcmzq8e5f7r9t2v4x6y8z0ab' }, at(0))).status, 404)
  const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => there.send({ post_id }, at(index))))
  assert.equal(answers.filter(({ status }) => status === 202).length, 20)
  const refused = await there.send({ post_id }, { ...at(0), key })
  for (const header of ['ratelimit', 'ratelimit-policy', 'retry-after']) assert.equal(refused.headers.get(header), null)
  assertProblem(await refusalOf(refused), 'rate_limited')
  counting.clock.setOffset(Date.parse('2030-06-01T23:59:57Z') - Date.now())
  assert.equal((await there.send({ post_id }, at(0))).status, 429)
  counting.clock.setOffset(Date.parse('2030-06-02T00:00:00Z') - Date.now())
  assert.equal((await there.send({ post_id }, at(0))).status, 202)
})
