import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { validateXML } from 'xmllint-wasm'
import { allDocuments } from '../../src/documents/all-documents.ts'
import { type DocumentedSite, documentedSites } from '../../src/documents/deployment.ts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { mcpPath } from '../../src/mcp/protocol/protocol.ts'
import { devicePath } from '../../src/oauth/device.ts'
import { oauthPaths } from '../../src/oauth/metadata.ts'
import { operationsOf } from '../../src/operations.ts'

const documents = allDocuments(exampleDeployment)
const sites = documentedSites(exampleDeployment)

/** Files that are written from posts, and exist from the first day. */
const writtenFromPosts = [
  '/',
  '/topics/',
  '/places/',
  '/archive/',
  '/index.json',
  '/feed.xml',
  '/sitemap.xml',
  '/deleted.json',
  '/transparency/',
  '/transparency/index.json',
  '/.well-known/broadside-keys.json',
]
const calendar = ({ kind }: DocumentedSite) => (kind.presentation.occasion ? ['/events.ics'] : [])
const ownIndexes = ({ kind: { listingTypes = {} } }: DocumentedSite) =>
  Object.keys(listingTypes).flatMap((type) => (listingTypes[type]?.index ? [`/${type}/`] : []))

/** Where a file is served: a folder has its index, and a page has no extension in its address. */
const addressesOf = (file: string) => [file, file.replace(/(^|\/)index\.html$/, '$1'), file.replace(/\.html$/, '')]

const servedBy = new Map(
  sites.map((site) => {
    const files = [...documents.keys()].flatMap((path) =>
      path.startsWith(`${site.slug}/`) ? addressesOf(path.slice(site.slug.length)) : [],
    )
    return [site.baseUrl, new Set([...files, ...writtenFromPosts, ...ownIndexes(site), ...calendar(site)])]
  }),
)

/**
 * `/v1` is the prefix of every operation, and tools have one address; the search page is dynamic; a post's page exists
 * once it is published. In programs an expression in braces, where this test stops reading, stands for an id.
 */
const patternsOf = (site: DocumentedSite) => [
  /^\/v1$/,
  /^\/search$/,
  new RegExp(`^${mcpPath}$`),
  /^\/p\/(post_\w{26}|\$POST_ID)(\.json|\.md|\.ics|\.png)?$/,
  ...operationsOf(site.kind).map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '(?:[\\w$]+|$)')}$`)),
]

const ownerLink = /^\/(o\/[\w-]{43})?$/

/** Whether one of our own links works. Links to other sites are not checked. */
function isServed(url: URL): boolean {
  if (url.origin === exampleDeployment.accountPageUrl)
    return (
      [mcpPath, devicePath, ...Object.values<string>(oauthPaths)].includes(url.pathname) || ownerLink.test(url.pathname)
    )
  const site = sites.find(({ baseUrl }) => baseUrl === url.origin)
  if (!site) return !url.hostname.endsWith('broadside.example')
  return servedBy.get(site.baseUrl)?.has(url.pathname) || patternsOf(site).some((pattern) => pattern.test(url.pathname))
}

const texts = [...documents].flatMap(([path, content]) => {
  const site = sites.find(({ slug }) => path.startsWith(`${slug}/`))
  return typeof content === 'string' && site ? [{ path, text: decoded(content), site }] : []
})

/** Without the colours of code. ghtml writes reserved HTML characters as numeric references. */
function decoded(text: string): string {
  return text.replaceAll(/<\/?span[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
}

const absolute = /https?:\/\/[\w.-]+(:\d+)?[^\s"'`<>()[\]{}|\\]*/g
const rooted = /\b(?:href|src)="(\/[^"]*)"/g

function addressesIn({ path, text, site }: (typeof texts)[number]): string[] {
  const found = [...text.matchAll(absolute)].map(([url]) => url.replace(/[.,;:…]+$/, ''))
  const links = path.endsWith('.html') ? [...text.matchAll(rooted)].map(([, to]) => `${site.baseUrl}${to}`) : []
  return [...new Set([...found, ...links])]
}

test('every link to our sites in a document works', () => {
  const broken = texts.flatMap((document) =>
    addressesIn(document)
      .filter((found) => {
        const url = URL.parse(found)
        return !url || !isServed(url)
      })
      .map((found) => `${document.path} → ${found}`),
  )
  assert.deepEqual(broken, [])
})

test('the sitemap of the static pages fits the sitemap schema, and lists what is served', async () => {
  const schema = readFileSync(new URL('../../node_modules/sitemap/schema/sitemap.xsd', import.meta.url), 'utf8')
  for (const site of sites) {
    const contents = String(documents.get(`${site.slug}/sitemaps/site.xml`))
    const { valid, errors } = await validateXML({ xml: [{ fileName: 'site.xml', contents }], schema: [schema] })
    assert.ok(valid, JSON.stringify(errors))
    const listed = [...contents.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => new URL(loc))
    assert.ok(listed.every((url) => url.origin === site.baseUrl && isServed(url)))
    assert.equal(new Set(listed.map(String)).size, listed.length)
    for (const path of [
      '/',
      '/topics/',
      '/archive/',
      '/transparency/',
      '/docs/',
      '/policy/',
      '/terms/',
      '/problems/',
      '/problems/not_found',
      '/about/',
    ])
      assert.ok(
        listed.some(({ pathname }) => pathname === path),
        path,
      )
  }
})
