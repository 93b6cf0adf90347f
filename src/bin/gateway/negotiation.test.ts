import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { browserAccept, serveFiles } from '../../../test/support/http/gateway.ts'
import { assertProblem } from '../../../tooling/problem-document.ts'
import type { ProblemCode } from '../../contract/problems/problems.ts'

const id = 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'
const goneId = 'post_01jcmzq8e5f7r9t2v4x6y8z0cd'
const unknownId = 'post_01jcmzq8e5f7r9t2v4x6y8z0ef'
const forms = ['', '.json', '.md', '.ics']

const errorPages = {
  '404.html': '<p>Nothing is here',
  '410.html': '<p>Taken down',
  'author-gone.html': '<p>The author is gone',
  '429.html': '<p>Too many',
  '503.html': '<p>Not now',
  '429-form.html': '<p>Send it later',
  '503-form.html': '<p>Not sent',
}

let site: Awaited<ReturnType<typeof serveFiles>>
before(async () => {
  site = await serveFiles(
    {
      [`p/ab/${id}.html`]: 'html',
      [`p/ab/${id}.json`]: 'json',
      [`p/ab/${id}.md`]: 'md',
      'p/cd/other.html': 'another post of that folder',
      'problems/index.html': 'html',
      'problems/index.json': 'json',
      'problems/not_found.html': 'html',
      'problems/not_found.json': 'json',
    },
    { errorPages: new Map(Object.entries(errorPages).map(([name, page]) => [`messages/${name}`, page])) },
  )
  writeFileSync(join(site.tree, `p/cd/${goneId}.gone`), '')
})
after(() => site[Symbol.asyncDispose]())

const accepted: [accept: string, form: 'html' | 'json' | 'md'][] = [
  ['', 'html'],
  ['*/*', 'html'],
  ['text/*', 'html'],
  ['image/png', 'html'],
  ['nonsense;;;,,q=', 'html'],
  [browserAccept, 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/json', 'json'],
  ['APPLICATION/JSON', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['application/json;q=1.000', 'json'],
  ['application/json, text/plain, */*', 'json'],
  ['application/jsonx', 'html'],
  ['application/json-patch+json', 'html'],
  ['xapplication/json', 'html'],
  ['application/json;q=0', 'html'],
  ['application/json;q=0.000, text/markdown;q=0.001', 'md'],
  ['text/markdown', 'md'],
  ['text/markdown, text/html, */*', 'md'],
  ['text/html, text/markdown', 'html'],
  ['text/html;q=0.5, application/json', 'json'],
  ['text/html;q=0.5,application/json;q=0.9,text/markdown;q=0.7', 'json'],
  ['text/html;level=1;q=0.3, text/markdown;variant=GFM;q=0.4', 'md'],
  ['text/html;Q=0.2 , application/json ; q=.3', 'json'],
  ['application/json;q=0.4;extension=1, text/html;q=0.2', 'json'],
]

for (const [accept, form] of accepted)
  test(`/p/{id} with Accept '${accept}' is ${form}`, async () => {
    const { status, headers, body } = await site.ask(`/p/${id}`, accept === '' ? {} : { accept })
    assert.deepEqual([status, body], [200, form])
    assert.equal(headers.get('vary'), 'Accept, Accept-Encoding')
  })

test('an Accept header designed to be slow is not slow', async () => {
  const accepts = [
    `application/json;${' '.repeat(15_000)}x;q=0`,
    `application/json${' ;'.repeat(7_000)}x,`,
    `text/html${' '.repeat(15_000)}x`,
    `application/json;q=${'0'.repeat(15_000)}`,
    `${', '.repeat(7_000)}`,
    `${'application/json;q=0,'.repeat(700)}`,
  ]
  const plain = accepts.map(({ length }) => 'x'.repeat(length))
  const time = async (values: readonly string[]) => {
    const begin = performance.now()
    for (const accept of values) assert.equal((await site.ask(`/p/${id}`, { accept })).status, 200)
    return performance.now() - begin
  }
  // Compared with plain headers of the same size, best of ten, because the machine is busy with other work.
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 10 && best >= 20; attempt++) {
    const plainMs = await time(plain)
    best = Math.min(best, (await time(accepts)) / plainMs)
  }
  assert.ok(best < 20, `it took ${best} times as long as a plain one`)
})

test('a format requested by its extension is served, whatever Accept says', async () => {
  for (const form of ['json', 'md']) {
    const { headers, body } = await site.ask(`/p/${id}.${form}`, { accept: browserAccept })
    assert.deepEqual([headers.get('vary'), body], ['Accept-Encoding', form])
  }
})

test('problems and the catalog are HTML pages, or JSON on request', async () => {
  const json = { accept: 'application/json' }
  for (const path of ['/problems/', '/problems/not_found']) {
    assert.equal((await site.ask(path)).body, 'html')
    assert.equal((await site.ask(path, { accept: browserAccept })).body, 'html')
    const negotiated = await site.ask(path, json)
    assert.deepEqual([negotiated.body, negotiated.headers.get('vary')], ['json', 'Accept, Accept-Encoding'])
    assert.equal(negotiated.headers.get('content-type'), 'application/json')
  }
  assert.equal((await site.ask('/problems/not_found.json', { accept: browserAccept })).body, 'json')
  await assertRefused('/problems/no_such_code', 'not_found', '<p>Nothing is here')
})

/** Programs get a problem document and people get this page. Both have the same status and are not cached. */
async function assertRefused(path: string, code: ProblemCode, page: string) {
  for (const accept of ['*/*', 'application/json', 'text/markdown', 'application/problem+json']) {
    const { status, headers, body } = await site.ask(path, { accept })
    assertProblem({ status, contentType: headers.get('content-type'), body }, code)
    assert.equal(JSON.parse(body).type, `${site.baseUrl}/problems/${code}`)
    assertOfTheMoment(headers)
  }
  const document = await site.ask(path)
  for (const accept of [browserAccept, 'text/html', 'application/xhtml+xml;q=0.9']) {
    const { status, headers, body } = await site.ask(path, { accept })
    assert.deepEqual([status, headers.get('content-type'), body], [document.status, 'text/html; charset=utf-8', page])
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/)
    assertOfTheMoment(headers)
    const zipped = await site.ask(path, { accept, 'accept-encoding': 'gzip' })
    assert.deepEqual([zipped.status, zipped.headers.get('content-encoding')], [document.status, 'gzip'])
  }
  const head = await site.ask(path, { accept: browserAccept }, 'HEAD')
  assert.deepEqual([head.status, head.body], [document.status, ''])
}

function assertOfTheMoment(headers: Headers) {
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('vary') ?? '', /^Accept\b/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('access-control-allow-origin'), '*')
  for (const name of ['etag', 'last-modified', 'location', 'link']) assert.equal(headers.get(name), null, name)
}

test('a post that was taken down returns 410 in all formats', async () => {
  for (const form of forms) await assertRefused(`/p/${goneId}${form}`, 'post_gone', '<p>Taken down')
})

test('unknown posts and invalid ids return 404 in all formats', async () => {
  for (const form of forms) await assertRefused(`/p/${unknownId}${form}`, 'post_not_found', '<p>Nothing is here')
  for (const wrong of [
    '1',
    id.toUpperCase(),
    `${id}0`,
    id.slice(0, -1),
    id.replace('post_', 'acct_'),
    `${id}/`,
    `${id}.xml`,
  ])
    await assertRefused(`/p/${wrong}`, 'post_not_found', '<p>Nothing is here')
})

test('a format that a post does not have returns 404', async () => {
  await assertRefused(`/p/${id}.ics`, 'not_found', '<p>Nothing is here')
})

test('an unknown page returns 404', async () => {
  for (const path of ['/nowhere', '/topics/nothing/', '/docs/nothing', '/p/', '/404.html/', '/.env', '/mcp/other'])
    await assertRefused(path, 'not_found', '<p>Nothing is here')
})

test('a search or form that is over the limit or unavailable gets a page for people and a problem document for programs', async () => {
  const codes: Record<number, string> = { 429: 'platform_busy', 503: 'unavailable' }
  const asked = (path: string, accept: string) => Array.from({ length: 6 }, () => site.ask(path, { accept }))
  const pages: [string, Record<number, string>][] = [
    ['/search?q=ferry', { 429: '<p>Too many', 503: '<p>Not now' }],
    [`/p/${id}/report`, { 429: '<p>Send it later', 503: '<p>Not sent' }],
    [`/p/${id}/contact/token`, { 429: '<p>Send it later', 503: '<p>Not sent' }],
  ]
  for (const [path, bodies] of pages) {
    const forPeople = await Promise.all(asked(path, browserAccept))
    assert.ok(
      forPeople.some(({ status }) => status === 429),
      path,
    )
    for (const { status, headers, body } of forPeople) {
      assert.equal(body, bodies[status], path)
      assert.ok(headers.get('retry-after'))
      assert.ok(headers.get('content-security-policy'))
      assert.equal(headers.get('cache-control'), 'no-store')
    }
  }
  const forPrograms = [
    ...asked('/search', 'application/json'),
    ...asked(`/p/${id}/report`, 'application/json'),
    ...asked('/v1/status', browserAccept),
  ]
  for (const { status, headers, body } of await Promise.all(forPrograms))
    assertProblem({ status, contentType: headers.get('content-type'), body }, codes[status] as 'unavailable')
})

test('without HTML pages, people get the problem document', async () => {
  for (const name of ['404.html', '410.html']) rmSync(join(site.folder, 'nginx/pages/messages', name))
  for (const [path, code] of [
    ['/nowhere', 'not_found'],
    [`/p/${goneId}`, 'post_gone'],
  ] as const) {
    const { status, headers, body } = await site.ask(path, { accept: browserAccept })
    assertProblem({ status, contentType: headers.get('content-type'), body }, code)
  }
})

test('under an unknown host no file is served: the request goes to the API', async () => {
  await using api = createServer((request, response) => response.end(`${request.method} ${request.url}`)).listen(
    0,
    '127.0.0.1',
  )
  await once(api, 'listening')
  const apiPorts = [(api.address() as AddressInfo).port]
  await using other = await serveFiles({ 'index.html': 'home' }, { apiPorts, requestsPerSecond: 1_000, burst: 1_000 })
  const paths = ['/', '/index.json', '/feed.xml', '/events.ics', '/topics/a/', '/places/pt/', '/changelog/feed.xml']
  const more = ['/problems/', '/problems/a', '/llms.txt', '/favicon.svg', '/assets/site.css', '/docs/', '/a.gz', '/p/']
  const well = ['/.well-known/api-catalog', '/.well-known/ai-catalog.json', '/.well-known/mcp/server-card.json']
  for (const path of [...paths, ...more, ...well, '/mcp/server-card', `/p/${id}`, `/p/${id}.json`])
    for (const method of ['GET', 'OPTIONS', 'POST'])
      assert.equal((await other.ask(path, { host: 'evil.example' }, method)).body, `${method} ${path}`)
  for (const host of ['localhost', 'a"b', "a'b"]) assert.equal((await other.ask('/', { host })).body, 'GET /', host)
  assert.equal((await other.ask('/', { host: 'evil.example' }, 'BREW')).status, 405)
})
