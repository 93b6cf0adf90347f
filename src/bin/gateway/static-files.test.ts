import assert from 'node:assert/strict'
import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { browserAccept, serveFiles, writeTree } from '../../../test/support/http/gateway.ts'

const id = 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'
const html = 'text/html; charset=utf-8'
const json = 'application/json'
const feedJson = 'application/feed+json'
const rss = 'application/rss+xml; charset=utf-8'
const calendar = 'text/calendar; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'
const plain = 'text/plain; charset=utf-8'
const card = 'application/mcp-server-card+json'

/** Every kind of URL on a site, with the file behind it. */
const addresses: [path: string, file: string, type: string][] = [
  ['/', 'index.html', html],
  ['/index.html', 'index.html', html],
  ['/index.json', 'index.json', feedJson],
  ['/feed.xml', 'feed.xml', rss],
  ['/events.ics', 'events.ics', calendar],
  [`/p/${id}`, `p/ab/${id}.html`, html],
  [`/p/${id}.json`, `p/ab/${id}.json`, json],
  [`/p/${id}.md`, `p/ab/${id}.md`, markdown],
  [`/p/${id}.ics`, `p/ab/${id}.ics`, calendar],
  ['/topics/', 'topics/index.html', html],
  ['/topics/ferries/', 'topics/ferries/index.html', html],
  ['/topics/ferries/index.json', 'topics/ferries/index.json', feedJson],
  ['/topics/ferries/feed.xml', 'topics/ferries/feed.xml', rss],
  ['/topics/ferries/events.ics', 'topics/ferries/events.ics', calendar],
  ['/places/pt/-/2267057/', 'places/pt/-/2267057/index.html', html],
  ['/places/us/us-ca/feed.xml', 'places/us/us-ca/feed.xml', rss],
  ['/places/us/us-ca/index.json', 'places/us/us-ca/index.json', feedJson],
  ['/archive/2026-11/3/', 'archive/2026-11/3/index.html', html],
  ['/docs/', 'docs/index.html', html],
  ['/docs/errors/', 'docs/errors/index.html', html],
  ['/docs/index.md', 'docs/index.md', markdown],
  ['/docs/errors.md', 'docs/errors.md', markdown],
  ['/docs/mcp/setup.md', 'docs/mcp/setup.md', markdown],
  ['/docs/search-index.json', 'docs/search-index.json', json],
  ['/changelog/', 'changelog/index.html', html],
  ['/changelog/feed.xml', 'changelog/feed.xml', rss],
  ['/problems/', 'problems/index.html', html],
  ['/problems/index.json', 'problems/index.json', json],
  ['/problems/not_found', 'problems/not_found.html', html],
  ['/problems/not_found.json', 'problems/not_found.json', json],
  ['/policy/', 'policy/index.html', html],
  ['/policy.json', 'policy.json', json],
  ['/deleted.json', 'deleted.json', json],
  ['/transparency/', 'transparency/index.html', html],
  ['/transparency/index.json', 'transparency/index.json', json],
  ['/openapi.yml', 'openapi.yml', 'application/yaml'],
  ['/asyncapi.yml', 'asyncapi.yml', 'application/yaml'],
  ['/openapi.json', 'openapi.json', json],
  ['/apis.json', 'apis.json', json],
  ['/sitemap.xml', 'sitemap.xml', 'application/xml'],
  ['/sitemaps/2026-11-0.xml', 'sitemaps/2026-11-0.xml', 'application/xml'],
  ['/llms.txt', 'llms.txt', markdown],
  ['/llms-full.txt', 'llms-full.txt', markdown],
  ['/skill.md', 'skill.md', markdown],
  ['/auth.md', 'auth.md', markdown],
  ['/robots.txt', 'robots.txt', plain],
  ['/license.xml', 'license.xml', 'application/rsl+xml'],
  ['/.well-known/security.txt', '.well-known/security.txt', plain],
  [
    '/.well-known/api-catalog',
    '.well-known/api-catalog',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  ],
  ['/.well-known/ai-catalog.json', '.well-known/ai-catalog.json', 'application/ai-catalog+json'],
  ['/.well-known/mcp/server-card.json', '.well-known/mcp/server-card.json', card],
  ['/mcp/server-card', 'mcp/server-card', card],
  ['/favicon.svg', 'favicon.svg', 'image/svg+xml'],
  ['/assets/site.css', 'assets/site.css', 'text/css; charset=utf-8'],
  ['/assets/docs.js', 'assets/docs.js', 'text/javascript; charset=utf-8'],
  ['/assets/fonts/abril.woff2', 'assets/fonts/abril.woff2', 'font/woff2'],
]
const contentOf = (file: string) => `This is ${file}.`
const files = Object.fromEntries(addresses.map(([, file]) => [file, contentOf(file)]))

let site: Awaited<ReturnType<typeof serveFiles>>
before(async () => {
  site = await serveFiles(files)
})
after(() => site[Symbol.asyncDispose]())

for (const [path, file, type] of addresses)
  test(`${path} is ${type}, for GET and HEAD, readable from any origin`, async () => {
    const got = await site.ask(path)
    assert.deepEqual([got.status, got.headers.get('content-type'), got.body], [200, type, contentOf(file)])
    assert.equal(got.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(got.headers.get('access-control-allow-origin'), '*')
    assert.match(got.headers.get('etag') ?? '', /^W\/"[^"]+"$/)
    assert.ok(got.headers.get('last-modified'))
    assert.ok(got.headers.get('vary')?.endsWith('Accept-Encoding'))
    const head = await site.ask(path, {}, 'HEAD')
    assert.deepEqual([head.status, head.body], [200, ''])
    for (const name of ['date', 'transfer-encoding']) {
      got.headers.delete(name)
      head.headers.delete(name)
    }
    assert.deepEqual([...head.headers], [...got.headers])
  })

test('only pages have a content security policy and a referrer policy', async () => {
  for (const [path, , type] of addresses) {
    const { headers } = await site.ask(path)
    const policy = headers.get('content-security-policy') ?? ''
    assert.equal(policy.startsWith("default-src 'none'; style-src 'self'; font-src 'self'"), type === html, path)
    assert.equal(headers.get('referrer-policy'), type === html ? 'strict-origin-when-cross-origin' : null)
    assert.equal(headers.get('strict-transport-security'), null, 'not where there is no TLS')
  }
})

test('caching: files for a minute, assets for a day, fonts forever, the server card for an hour', async () => {
  const others: Record<string, string> = {
    '/assets/site.css': 'public, max-age=3600',
    '/assets/docs.js': 'public, max-age=3600',
    '/favicon.svg': 'public, max-age=3600',
    '/assets/fonts/abril.woff2': 'public, max-age=604800',
    '/mcp/server-card': 'public, max-age=3600',
    '/.well-known/mcp/server-card.json': 'public, max-age=3600',
  }
  for (const [path] of addresses) {
    const { headers } = await site.ask(path)
    assert.equal(headers.get('cache-control'), others[path] ?? 'public, max-age=60, stale-while-revalidate=300', path)
  }
})

test('checkpoints are not stored, tiles never change, and each log has files of its own', async () => {
  writeTree(site.folder, 'log', {
    checkpoint: 'first',
    'tile/0/000.p/3': 'first',
    '2/checkpoint': 'second',
    '2/tile/0/x001/067': 'second',
  })
  const [changes, stays] = ['no-store', 'public, max-age=604800, immutable']
  for (const [path, body, type, cacheControl] of [
    ['/log/checkpoint', 'first', plain, changes],
    ['/log/tile/0/000.p/3', 'first', 'application/octet-stream', stays],
    ['/log/2/checkpoint', 'second', plain, changes],
    ['/log/2/tile/0/x001/067', 'second', 'application/octet-stream', stays],
  ] as const) {
    const got = await site.ask(path)
    const { headers } = got
    assert.deepEqual([got.status, got.body], [200, body], path)
    assert.deepEqual([headers.get('content-type'), headers.get('cache-control')], [type, cacheControl], path)
    assert.equal(headers.get('access-control-allow-origin'), '*')
  }
  for (const path of ['/log/', '/log/3/checkpoint', '/log/02/checkpoint', '/log/2/../checkpoint2', '/log/tile/0/001'])
    assert.equal((await site.ask(path)).status, 404, path)
})

test('the server card has the headers required by its specification', async () => {
  for (const path of ['/mcp/server-card', '/.well-known/mcp/server-card.json']) {
    const { headers } = await site.ask(path)
    assert.equal(headers.get('access-control-allow-methods'), 'GET')
    assert.equal(headers.get('access-control-allow-headers'), 'Content-Type, If-None-Match')
    assert.equal(headers.get('access-control-expose-headers'), 'ETag')
  }
})

test('posts and feeds link their licence, post formats their canonical URL, and the front page the agent documents', async () => {
  const license =
    '<https://creativecommons.org/licenses/by/4.0/>; rel="license", ' +
    `<${site.baseUrl}/license.xml>; rel="license"; type="application/rsl+xml"`
  const canonical = `<${site.baseUrl}/p/${id}>; rel="canonical"`
  const links: Record<string, string> = {
    '/':
      '</.well-known/api-catalog>; rel="api-catalog", </openapi.yml>; rel="service-desc"; type="application/yaml", ' +
      '</docs/>; rel="service-doc"',
    '/.well-known/api-catalog': `<${site.baseUrl}/.well-known/api-catalog>; rel="api-catalog"`,
  }
  const isReading = (path: string) => /^\/(p|topics|places)\/|^\/(index\.json|feed\.xml|events\.ics)$/.test(path)
  for (const [path] of addresses) {
    const expected = /^\/p\/.*\./.test(path) ? `${license}, ${canonical}` : isReading(path) ? license : links[path]
    assert.equal((await site.ask(path)).headers.get('link'), expected ?? null, path)
  }
})

test('a current version gets 304, by ETag or by date, with the headers of the full response', async () => {
  for (const path of ['/', `/p/${id}`, `/p/${id}.json`, '/feed.xml', '/mcp/server-card']) {
    const { headers } = await site.ask(path)
    const byTag = await site.ask(path, { 'if-none-match': `"other", ${headers.get('etag')}` })
    const byDate = await site.ask(path, { 'if-modified-since': String(headers.get('last-modified')) })
    for (const known of [byTag, byDate]) {
      assert.deepEqual([known.status, known.body], [304, ''])
      for (const name of ['etag', 'cache-control', 'vary', 'last-modified', 'access-control-allow-origin'])
        assert.equal(known.headers.get(name), headers.get(name), name)
    }
    assert.equal((await site.ask(path, { 'if-none-match': '"other"' })).status, 200)
  }
})

test('files are compressed for clients that accept gzip, even behind a proxy, and plain for others', async () => {
  const asGzip = ['gzip', 'br, gzip', 'gzip;q=0.5, identity;q=0', 'GZIP']
  const asPlain = ['', '*', 'identity', 'gzip;q=0', 'br', 'deflate, br;q=0.5', 'xgzip', 'gzip;q=0, *']
  for (const path of ['/', `/p/${id}`, '/topics/ferries/feed.xml', '/.well-known/api-catalog', '/problems/not_found']) {
    const plainly = await site.ask(path)
    assert.equal(plainly.headers.get('content-encoding'), null)
    for (const accepted of asGzip) {
      const gzipped = await site.ask(path, { 'accept-encoding': accepted, via: '1.1 edge' })
      assert.deepEqual([gzipped.status, gzipped.headers.get('content-encoding')], [200, 'gzip'], accepted)
      for (const name of ['content-type', 'etag', 'last-modified', 'vary'])
        assert.equal(gzipped.headers.get(name), plainly.headers.get(name))
      assert.ok(gzipped.headers.get('content-length'))
    }
    for (const accepted of asPlain) {
      const { status, headers, body } = await site.ask(path, { 'accept-encoding': accepted })
      assert.deepEqual([status, headers.get('content-encoding'), body], [200, null, plainly.body], accepted)
    }
  }
})

test('one tag identifies a version, compressed or not', async () => {
  for (const path of ['/', `/p/${id}`, '/assets/site.css']) {
    const tag = String((await site.ask(path)).headers.get('etag'))
    for (const coding of ['identity', 'gzip'])
      for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
        const unchanged = await site.ask(path, { 'accept-encoding': coding, 'if-none-match': known })
        assert.deepEqual([unchanged.status, unchanged.body], [304, ''], `${path} ${coding} ${known}`)
        for (const [name, value] of [
          ['etag', tag],
          ['content-encoding', null],
        ])
          assert.equal(unchanged.headers.get(String(name)), value)
      }
  }
})

test('ranges are not supported: a request for one gets the whole file', async () => {
  for (const coding of ['identity', 'gzip'])
    for (const range of ['bytes=0-1', 'bytes=-1', 'bytes=9999-', 'bytes=0-1,3-4']) {
      const { status, headers } = await site.ask('/', { 'accept-encoding': coding, range })
      assert.deepEqual([status, headers.get('accept-ranges'), headers.get('content-range')], [200, null, null])
    }
})

test('a file takes GET and HEAD only, whether it exists or not', async () => {
  for (const path of ['/', `/p/${id}`, `/p/${id}.png`, '/assets/site.css', '/problems/not_found', '/nowhere'])
    for (const method of ['POST', 'PUT', 'DELETE'])
      assert.equal((await site.ask(path, { 'content-length': '0' }, method)).status, 405, `${method} ${path}`)
})

test('OPTIONS on a file lists the methods and allows CORS preflights', async () => {
  for (const path of ['/', `/p/${id}`, '/feed.xml', '/mcp/server-card', '/nowhere']) {
    const asked = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' }
    const { status, headers, body } = await site.ask(path, asked, 'OPTIONS')
    assert.deepEqual([status, body], [204, ''])
    assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD')
    assert.equal(headers.get('access-control-allow-headers'), 'Content-Type, If-None-Match')
  }
})

test('a folder without a trailing slash redirects to it, on the same host with the query', async () => {
  const cases = {
    '/topics/ferries': '/topics/ferries/',
    '/places/us/us-ca?a=1': '/places/us/us-ca/?a=1',
    '/docs': '/docs/',
    '/problems': '/problems/',
  }
  for (const [path, location] of Object.entries(cases)) {
    const { status, headers } = await site.ask(path, { accept: browserAccept })
    assert.deepEqual([status, headers.get('location')], [301, location], path)
  }
})

test('the former address of a page’s Markdown redirects to the current one', async () => {
  const cases = { '/docs/errors/index.md': '/docs/errors.md', '/docs/mcp/setup/index.md?a=1': '/docs/mcp/setup.md?a=1' }
  for (const [path, location] of Object.entries(cases)) {
    const { status, headers } = await site.ask(path)
    assert.deepEqual([status, headers.get('location')], [301, location], path)
  }
})

test('compressed files, markers, temporary files and dotfiles are not served by name', async () => {
  for (const name of [`p/ab/${id}.gone`, `p/ab/.${id}`, '.env', 'docs/.draft.html', '.well-known/.draft', 'old.gone'])
    writeFileSync(join(site.tree, name), 'hidden')
  const paths = [
    ...addresses.flatMap(([, file]) => [`/${file}.gz`, `/${file}.br`]),
    ...[`/p/ab/${id}.gone`, `/p/ab/.${id}`, `/p/ab/${id}.html`, `/p/ab/${id}.json`, `/p/${id}.gone`, `/p/${id}.html`],
    ...['/.env', '/%2eenv', '/docs/.draft.html', '/.well-known/.draft', '/old.gone', '/INDEX.HTML.gz', '/p/ab/', '/p/'],
  ]
  for (const path of paths) assert.equal((await site.ask(path)).status, 404, path)
})

test('after the root link changes, the next response comes from the new tree', async () => {
  const next = writeTree(site.folder, 'next', { ...files, 'index.html': 'The next tree.' })
  symlinkSync(next, `${site.root}.new`)
  assert.equal((await site.ask('/')).body, contentOf('index.html'))
  renameSync(`${site.root}.new`, site.root)
  assert.equal((await site.ask('/')).body, 'The next tree.')
})
