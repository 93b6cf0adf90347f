// Every address that the service names is there: llms.txt, sitemaps, navigation, OpenAPI.
import { equal, hasStatus, holds, isOkJson } from '../assert.ts'
import { section } from '../checks.ts'
import { published } from '../fixtures.ts'
import { linksWithRel, parseXml, tags } from '../formats.ts'
import { at, request } from '../http.ts'
import { accountPage, kinds, sites } from '../targets.ts'

const test = section('links')

const ours = [...Object.values(sites), accountPage]
const isOurs = (url: string) => ours.includes(new URL(url).origin)
const types: Record<string, RegExp> = {
  md: /^text\/markdown\b/,
  txt: /^text\/(plain|markdown)\b/,
  xml: /xml\b/,
  json: /json\b/,
  yml: /yaml\b/,
  ics: /^text\/calendar\b/,
  png: /^image\/png$/,
  svg: /^image\/svg/,
  css: /^text\/css\b/,
  woff2: /^font\/woff2$/,
}
/** Which of these do not answer 200 with the type that their name says. */
async function broken(urls: Iterable<string>): Promise<string[]> {
  const unique = [...new Set([...urls].map((url) => url.split('#')[0]))].filter(isOurs)
  holds(unique.length > 0, 'addresses', 'some', 'none')
  const replies = await Promise.all(unique.map((url) => request('GET', url, { headers: { accept: '*/*' } })))
  return replies
    .filter(({ url, status, type }) => {
      const expected = types[/\.(\w+)$/.exec(new URL(url).pathname)?.[1] ?? ''] ?? /./
      return status !== 200 || !expected.test(type)
    })
    .map(({ url, status, type }) => `${url} ${status} ${type}`)
}
const noneBroken = async (urls: Iterable<string>, what: string) =>
  equal((await broken(urls)).join('\n'), '', `addresses in ${what} that do not answer 200 with their type`)

/** The pages that navigation and documents lead to, without the pages of posts, authors and topics. */
async function pagesFrom(start: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const queue = [`${start}/`]
  for (let url = queue.shift(); url; url = queue.shift()) {
    if (pages.has(url)) continue
    const reply = await request('GET', url, { headers: { accept: 'text/html' } })
    pages.set(url, reply.text)
    for (const { href } of /html/.test(reply.type) ? tags(reply.text, 'a') : []) {
      const next = new URL(href || '/', url)
      if (next.origin === start && !/^\/(p|by|topics|places|archive)\/./.test(next.pathname) && !next.search)
        queue.push(next.href.split('#')[0])
    }
  }
  return pages
}

for (const kind of kinds) {
  test(`llms-${kind}: spec 1: every link of llms.txt of the ${kind} site answers 200 with its type`, async () => {
    const { text } = await at(kind).get('/llms.txt')
    await noneBroken(
      [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, url]) => url).filter((url) => !url.includes('/v1/search')),
      'llms.txt',
    )
  })
  test(`sitemap-${kind}: decisions 11: every page of the sitemaps of the ${kind} site answers 200`, async () => {
    await published[kind]()
    const locations = async (url: string) =>
      parseXml((await request('GET', url)).text, url).children.map((entry) => entry.children[0].text.trim())
    const pages = (await Promise.all((await locations(`${sites[kind]}/sitemap.xml`)).map(locations))).flat()
    // A run leaves hundreds of posts: the newest and the oldest will do.
    await noneBroken([...pages.slice(0, 100), ...pages.slice(-100)], 'the sitemaps')
  })
  test(`navigation-${kind}: decisions 11: every link, style sheet, font and icon of the pages of the ${kind} site answers 200`, async () => {
    const pages = await pagesFrom(sites[kind])
    const urls = [...pages].flatMap(([url, html]) =>
      [...tags(html, 'a'), ...tags(html, 'link')]
        .filter(({ href, rel }) => href && !/preconnect/.test(rel ?? ''))
        .map(({ href }) => new URL(href, url).href),
    )
    await noneBroken(urls, `${pages.size} pages`)
  })
  test(`openapi-${kind}: spec 1: every path of OpenAPI of the ${kind} site is served, with the methods that it names`, async () => {
    const { paths } = isOkJson(await at(kind).get('/openapi.json'))
    for (const [path, methods] of Object.entries<object>(paths))
      for (const method of Object.keys(methods).filter((name) => /^(get|post|patch|put|delete)$/.test(name))) {
        const filled = path.replace(/\{id\}/g, 'post_01hzzzzzzzzzzzzzzzzzzzzzzz')
        if (filled === '/v1/stream') continue
        const reply = await at(kind).send(method.toUpperCase(), filled, method === 'get' ? {} : { body: {} })
        holds(reply.status < 500 && reply.status !== 405, `${method} ${path}`, 'an operation', String(reply))
        if (reply.status === 404)
          holds(reply.data?.code !== 'not_found', `${method} ${path}`, 'an operation', String(reply))
      }
  })
}
test('home-alternates: decisions 11: the alternates that a page names are there', async () => {
  for (const kind of kinds) {
    const { text } = await at(kind).get('/', { headers: { accept: 'text/html' } })
    const links = linksWithRel(text, 'alternate', `${sites[kind]}/`).map(({ href }) => href)
    await noneBroken(links, `the home page of the ${kind} site`)
  }
})
test('owner-page: decisions 3: the pages of the owner page that need no sign-in are there, with their links', async () => {
  const reply = await request('GET', `${accountPage}/`, { headers: { accept: 'text/html' } })
  hasStatus(reply, 200)
  const named = [...tags(reply.text, 'a'), ...tags(reply.text, 'link')].filter(({ href }) => href)
  await noneBroken(
    named.map(({ href }) => new URL(href, `${accountPage}/`).href),
    'the owner page',
  )
})
