// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Parser } from '@asyncapi/parser'
import { parse as parseYaml } from 'yaml'
import { authors } from '../../tooling/fixtures/drafts/index.ts'
import { type SeededSite, type SeededSites, seedSites } from '../../tooling/fixtures/populated-sites.ts'
import { inParallel } from '../../tooling/in-parallel.ts'
import { assertProblem } from '../../tooling/problem-document.ts'
import { isWhole } from '../../tooling/test-length.ts'
import { addressesOf, filesBelow } from '../support/pages/compare-trees.ts'
import { contentTypes, rowOf } from '../support/pages/content-types.ts'
import { assertEach, type Visit, visit, type Walk, walkSites, withoutFragment } from '../support/pages/crawl-sites.ts'
import { assertLabelled, isLabelled, linksOf, mainText, metaOf } from '../support/pages/read-page.ts'
import {
  assertCalendar,
  assertJsonFeed,
  assertRss,
  htmlFaults,
  schemaFaults,
  sitemapFaults,
  sitemapIndexFaults,
} from '../support/pages/valid-formats.ts'

let fixture: SeededSites
let walk: Walk
/** The pages that the gateway sent, including the two error pages. */
let pages: Visit[]
before(async () => {
  fixture = await seedSites()
  const bases = fixture.sites.map(({ baseUrl }) => baseUrl)
  const starts = bases.flatMap((base) => ['/', '/sitemap.xml', '/docs/', '/llms.txt'].map((path) => base + path))
  walk = await walkSites(new Set([...bases, fixture.service.accountPageUrl]), starts)
  const errors = await Promise.all(fixture.sites.flatMap(errorPages))
  pages = [...visits().filter(({ type, url }) => isPage(type) && !isOwnerPage(url)), ...errors]
})
after(() => fixture?.[Symbol.asyncDispose]())

/** Cards are drawn only where a test asks for them: see test/sites/cards.test.ts. */
const isCard = (url: string) => /\/p\/post_\w+\.png$/.test(url)
const visits = () => [...walk.visits.values()].filter(({ url }) => !isCard(url))
const isPage = (type: string) => type.startsWith('text/html')
const isOwnerPage = (url: string) => url.startsWith(fixture.service.accountPageUrl)
const ofType = (type: string) => visits().filter((one) => one.type.split(';')[0] === type)
const asPage = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

function errorPages({ baseUrl, inRole }: SeededSite): Promise<Visit>[] {
  const gone = [inRole('deleted'), inRole('removed')].map((post) => `/p/${post?.id}`)
  return ['/nothing-here', ...gone].map((path) => visit(baseUrl + path, 'the test', asPage))
}

/** Listed as a base address: the API as a whole, search, tools and OAuth, which need parameters, and the log. */
const isBeginning = (url: string) => /^\/(v1(\/search)?|mcp|oauth\/\w+|log\/)$/.test(new URL(url).pathname)

test('every link of every site works', (context) => {
  context.diagnostic(`${walk.visits.size} addresses of four sites visited, ${walk.links.length} links read`)
  const broken = visits().filter(({ status, url }) => status !== 200 && !isBeginning(url))
  assert.deepEqual(
    broken.map(({ status, url, foundOn }) => `${status} ${url} on ${foundOn}`),
    [],
  )
})

test('a link to a fragment of a page finds it', () => {
  const broken = walk.links.filter(({ to }) => {
    const [path = '', fragment = ''] = to.split('#')
    // This page verifies the post that the fragment names.
    if (path.endsWith('/verify/') && /^post_\w+$/.test(fragment)) return false
    const target = walk.visits.get(withoutFragment(to))
    return fragment && target && isPage(target.type) && !target.text.includes(` id="${fragment}"`)
  })
  assert.deepEqual(broken, [])
})

test('every served file is linked from somewhere', async () => {
  // Licences that come with a font.
  const unlinked = /^assets\/fonts\/OFL-/
  // Some addresses have the version of their file.
  const visited = new Set([...walk.visits.keys()].map((url) => url.split('?')[0]))
  for (const { kind, baseUrl } of fixture.sites) {
    const files = await filesBelow(join(fixture.service.pagesDirectory, kind.site.slug, '/'))
    const orphans = [...files]
      .map((file) => file.replace(/\.gz$/, ''))
      .filter((file) => !/\.gone$/.test(file) && !unlinked.test(file))
      .filter((file) => !addressesOf(file).some((path) => visited.has(`${baseUrl}/${path}`)))
    assert.deepEqual(orphans, [], kind.site.slug)
  }
})

/** The documents are checked by their own test, with the same rules. */
const isDocument = ({ url }: Visit) => /\/(docs|policy|problems|changelog|about)\//.test(url)

test('every page is valid HTML according to html-validate', (context) => {
  // A short run reads a third: the pages of a kind have the same elements.
  const read = pages.filter((page) => !isDocument(page)).filter((_, index) => isWhole || index % 3 === 0)
  context.diagnostic(`${read.length} of ${pages.length} pages`)
  assertEach(read, ({ text }) => assert.deepEqual(htmlFaults(text), []))
})

test('every page has a title, a description and its own address', () => {
  assertEach(pages, ({ url, status, text }) => {
    assert.match(text, /<title>[^<]+<\/title>/)
    assert.ok(metaOf(text, 'description'))
    const isListed = status === 200 && !/\/(search|report|contact)$/.test(url)
    assert.deepEqual(
      linksOf(text, 'canonical').map(({ href }) => href),
      isListed ? [url] : [],
    )
    if (!isListed) assert.equal(metaOf(text, 'robots'), 'noindex')
  })
})

test('the other formats of a page exist, and match their links', () => {
  assertEach(pages, ({ url, text }) => {
    for (const { href = '', type = '' } of linksOf(text, 'alternate')) {
      const target = walk.visits.get(new URL(href, url).href)
      assert.equal(target?.type.split(';')[0], type, href)
    }
  })
  const withForms = pages.filter(({ text }) => linksOf(text, 'alternate').length > 0)
  assert.ok(withForms.length > pages.length / 3)
})

test('user text is labelled and under its licence; our own text is not', (context) => {
  for (const site of fixture.sites) {
    const written = writtenOn(site)
    const own = pages.filter(({ url }) => url.startsWith(`${site.baseUrl}/`))
    const theirs = own.filter(({ text }) => written.some((words) => mainText(text).includes(words)))
    context.diagnostic(`${theirs.length} of ${own.length} pages of ${site.kind.site.slug} show what users wrote`)
    assertEach(theirs, ({ text }) => assertLabelled(text, written))
    assertEach(own, ({ text }) => assert.equal(linksOf(text, 'license').length, isLabelled(text) ? 2 : 0))
  }
})

/** Only user text: the examples of a kind are also in our documentation. */
function writtenOn({ kind, posts }: SeededSite): string[] {
  const own = posts.filter(({ body }) => !(kind.examples as readonly object[]).includes(body))
  const headlines = own.map(({ body }) => kind.presentation.headline(kind.body.parse(body)).replace(/…$/, ''))
  return [...headlines, authors.rightToLeft, authors.hostile, authors.tides]
}

test('every page is compressed, and smaller than 50 KB in transfer', (context) => {
  const largest = pages.toSorted((one, other) => other.sentBytes - one.sentBytes)[0] as Visit
  context.diagnostic(`the largest has ${largest.sentBytes} bytes: ${new URL(largest.url).pathname}`)
  assertEach(pages, ({ sentBytes, headers }) => {
    assert.match(headers.get('content-encoding') ?? '', /^(br|gzip)$/)
    assert.ok(sentBytes < 50_000, `${sentBytes} bytes`)
  })
})

test('two readers parse every RSS feed alike; it names itself and repeats nothing', () => {
  assertEach(ofType('application/rss+xml'), ({ text, url }) => {
    for (const link of assertRss(text, url)) assert.ok(walk.visits.has(withoutFragment(link)), link)
  })
})

test('every JSON Feed has version 1.1, names itself and repeats nothing', () => {
  assertEach(ofType('application/feed+json'), ({ text, url }) => {
    for (const link of assertJsonFeed(text, url)) assert.ok(walk.visits.has(link), link)
  })
})

test('every sitemap fits the schema of sitemaps.org, and lists every listed post', async () => {
  const maps = ofType('application/xml')
  const faults = await inParallel(maps, async ({ url, text }) => {
    const found = url.endsWith('/sitemap.xml') ? sitemapIndexFaults(text) : sitemapFaults(text)
    return (await found).map((fault) => `${url}: ${fault}`)
  })
  assert.deepEqual(faults.flat(), [])
  const listed = new Set(maps.flatMap(({ links }) => links))
  const over = new Set(['over', 'deleted', 'removed'])
  for (const { baseUrl, posts } of fixture.sites)
    for (const { id, role } of posts) if (!over.has(role ?? '')) assert.ok(listed.has(`${baseUrl}/p/${id}`), id)
})

test('ical.js parses every calendar, and each line follows RFC 5545', () =>
  assertEach(ofType('text/calendar'), ({ text }) => assertCalendar(text)))

test('Redocly and the AsyncAPI parser report nothing about the served contracts', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-contracts-'))
  const served = ({ baseUrl }: SeededSite, path: string) => String(walk.visits.get(baseUrl + path)?.text)
  for (const site of fixture.sites)
    assert.deepEqual(parseYaml(served(site, '/openapi.yml')), JSON.parse(served(site, '/openapi.json')))
  // Their own test checks those of all sites.
  const [site] = fixture.sites as [SeededSite]
  const file = join(folder.path, 'openapi.yml')
  await writeFile(file, served(site, '/openapi.yml'))
  // The fixture runs on this machine, and says so.
  const lint = ['lint', '--format=json', '--skip-rule=no-server-example.com', file]
  const { stdout } = await promisify(execFile)('redocly', lint)
  const { errors, warnings } = JSON.parse(stdout).totals
  assert.deepEqual([errors, warnings], [0, 0], stdout)
  const { diagnostics } = await new Parser().parse(served(site, '/asyncapi.yml'))
  assert.deepEqual(diagnostics, [])
})

test('the discovery documents for agents fit their schemas', () => {
  const documents = {
    '/mcp/server-card': 'server-card',
    '/.well-known/mcp/server-card.json': 'server-card',
    '/.well-known/ai-catalog.json': 'ai-catalog',
    '/.well-known/api-catalog': 'linkset',
    '/apis.json': 'apis-json',
  }
  for (const { baseUrl } of fixture.sites)
    for (const [path, schema] of Object.entries(documents)) {
      const found = walk.visits.get(baseUrl + path)
      assert.ok(found, path)
      assert.deepEqual(schemaFaults(schema, JSON.parse(found.text)), [], found.url)
    }
})

/** The search page and the forms are dynamic, not files. Neither are the API responses. */
const files = () =>
  visits().filter(
    ({ url }) =>
      !isOwnerPage(url) && !/^\/((v1|search|log)(\/|$)|mcp$|p\/\w+\/(report|contact)$)/.test(new URL(url).pathname),
  )

test('every file has the content type of its address, and the common headers', () => {
  assertEach(files(), ({ url, type, headers }) => {
    assert.equal(type, rowOf(url)?.[1])
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.match(headers.get('etag') ?? '', /^(W\/)?"[^"]+"$/)
    assert.ok(headers.get('last-modified'))
    assert.match(headers.get('cache-control') ?? '', /^public, max-age=\d+/)
    assert.match(headers.get('vary') ?? '', /Accept-Encoding/)
    if (isPage(type)) assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';/)
    const [, post, form] = /^(.*\/p\/post_\w+)(\.\w+)?$/.exec(url) ?? []
    if (post) assert.match(headers.get('link') ?? '', /licenses\/by\/4\.0\/>; rel="license"/)
    // A page contains its own address.
    if (form) assert.ok(headers.get('link')?.includes(`<${post}>; rel="canonical"`))
  })
  const seen = new Set(files().map(({ url }) => rowOf(url)))
  assert.equal(seen.size, contentTypes.length, 'each row was met')
})

test('a file of each type answers HEAD, and 304 to a conditional request', async () => {
  const samples = new Map(files().map((one) => [rowOf(one.url), one]))
  for (const { url, headers, sentBytes } of samples.values()) {
    const head = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br, gzip' } })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(sentBytes)], url)
    const again = await visit(url, 'the test', { 'if-none-match': String(headers.get('etag')) })
    assert.equal(again.status, 304, url)
  }
})

const json = { accept: 'application/json' }
const anything = { accept: '*/*' }
const markdown = { accept: 'text/markdown;q=0.9, text/html;q=0.1' }
const forms = [['', asPage] as const, ['', anything] as const, ['.json', json] as const, ['.md', markdown] as const]

test('a post is served in the format that Accept asks for', async () => {
  for (const { baseUrl, inRole } of fixture.sites) {
    const url = `${baseUrl}/p/${inRole('plain')?.id}`
    for (const [ending, headers] of forms) {
      const asked = await visit(url, 'the test', headers)
      const wanted = walk.visits.get(url + ending)
      assert.deepEqual([asked.status, asked.type, asked.text], [200, wanted?.type, wanted?.text], headers.accept)
      assert.equal(asked.headers.get('vary'), 'Accept, Accept-Encoding')
    }
  }
})

test('missing and deleted posts get a page in browsers, and a problem document in other clients', async () => {
  for (const { baseUrl, inRole } of fixture.sites) {
    const gone = [inRole('deleted'), inRole('removed')].flatMap((post) =>
      ['', '.json', '.md'].map((end) => `/p/${post?.id}${end}`),
    )
    const rows = [
      ...gone.map((path) => [path, 410, 'post_gone'] as const),
      ['/p/post_01jcmzq8e5f7r9t2v4x6y8z0ab', 404, 'post_not_found'] as const,
      ...['/p/nonsense', '/nothing-here', '/topics/none-of-this/', '/problems/no_such_problem'].map(
        (path) => [path, 404, undefined] as const,
      ),
    ]
    for (const [path, status, code] of rows) {
      const page = await visit(baseUrl + path, 'the test', asPage)
      assert.deepEqual([page.status, page.type], [status, 'text/html; charset=utf-8'], path)
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      for (const headers of [json, anything]) {
        const problem = await visit(baseUrl + path, 'the test', headers)
        assert.equal(problem.status, status, path)
        assertProblem({ status, contentType: problem.type, body: problem.text }, code)
        assert.ok(walk.visits.has(String(JSON.parse(problem.text).type)), 'its type is a page')
      }
    }
  }
})
