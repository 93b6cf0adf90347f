// Static reading: spec Endpoints note 6; decisions 11 and 12; standards 6 to 9 and 11 for the exact bytes.
import { gunzipSync, gzipSync } from 'node:zlib'
import { eventually, freshAccount, marker } from '../accounts.ts'
import {
  equal,
  excludes,
  fail,
  hasStatus,
  hasType,
  holds,
  includes,
  isArray,
  isObject,
  isOkJson,
  isString,
  isTime,
  match,
  noMatch,
  oneOf,
  sameJson,
} from '../assert.ts'
import { fixture, type Json, section, show, skip } from '../checks.ts'
import { bodies, ended, publicPost, publish, published, submit, waitForDecision } from '../fixtures.ts'
import {
  attributesOf,
  childrenOf,
  icsLines,
  linksOf,
  linksWithRel,
  parseXml,
  tags,
  textOf,
  visibleText,
} from '../formats.ts'
import { wordOf } from '../harmless.ts'
import { at, request } from '../http.ts'
import { freshnessSeconds, kinds, sites } from '../targets.ts'

const test = section('static')

const licence = 'https://creativecommons.org/licenses/by/4.0/'
const untrusted = 'untrusted-user-content'
const html = /^text\/html\b/i
const json = /^application\/json\b/i
const feedJson = /^application\/feed\+json\b/i
const rss = /^application\/rss\+xml\b/i
const yaml = /^application\/yaml\b/i
const markdown = /^text\/markdown\b/i
const plain = /^text\/plain\b/i
const card = /^application\/mcp-server-card\+json\b/i

// Every fixed path on every site --------------------------------------------------------------------
const fixed: Json[][] = [
  // spec note 6
  ['/index.json', feedJson, 'spec Endpoints 6'],
  ['/feed.xml', rss, 'spec Endpoints 6'],
  ['/policy.json', json, 'spec Endpoints 6'],
  ['/plans.json', json, 'spec Endpoints 6'],
  ['/rate-limits.json', json, 'spec Endpoints 6'],
  ['/openapi.yml', yaml, 'spec Endpoints 6'],
  ['/problems/', html, 'spec Endpoints 6'],
  ['/sitemap.xml', /^(application|text)\/xml\b/i, 'spec Endpoints 6'],
  ['/llms.txt', /^text\/(markdown|plain)\b/i, 'spec Endpoints 6'],
  ['/apis.json', json, 'spec Endpoints 6'],
  [
    '/.well-known/api-catalog',
    /^application\/linkset\+json; ?profile="https:\/\/www\.rfc-editor\.org\/info\/rfc9727"$/i,
    'spec Endpoints 6',
  ],
  // application/json is also acceptable at this one (standards 11)
  ['/.well-known/mcp/server-card.json', /^application\/(mcp-server-card\+)?json\b/i, 'spec Endpoints 6'],
  // decisions 11 and 12
  ['/', html, 'decisions 11'],
  ['/deleted.json', json, 'decisions 11'],
  ['/docs/', html, 'decisions 11'],
  ['/policy/', html, 'decisions 11'],
  ['/changelog/', html, 'spec Versioning 4'],
  ['/changelog/feed.xml', rss, 'spec Versioning 4'],
  ['/versioning/', html, 'spec Versioning 4'],
  ['/about/', html, 'decisions 11'],
  ['/auth.md', markdown, 'decisions 11'],
  ['/skill.md', markdown, 'decisions 11'],
  ['/robots.txt', plain, 'decisions 11'],
  ['/.well-known/security.txt', plain, 'decisions 11'],
  ['/.well-known/ai-catalog.json', /^application\/(ai-catalog\+)?json\b/i, 'decisions 11'],
  ['/mcp/server-card', card, 'decisions 11'],
  ['/asyncapi.yml', yaml, 'spec Versioning 3'],
  ['/openapi.json', /^application\/(json|openapi\+json|vnd\.oai\.openapi\+json)\b/i, 'decisions 11'],
]
const slug = (path) => path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home'
for (const [path, type, source] of fixed)
  test(`path-${slug(path)}${path.endsWith('/') && path !== '/' ? '-page' : ''}: ${source}: ${path} on each site answers 200 with its content type, nosniff and no cookie`, async () => {
    for (const kind of kinds) {
      const reply = await at(kind).get(path)
      hasStatus(reply, 200)
      hasType(reply, type)
      equal(reply.headers['x-content-type-options'], 'nosniff', `x-content-type-options of ${reply.url}`)
      holds(!('set-cookie' in reply.headers), `set-cookie of ${reply.url}`, 'absent', reply.headers['set-cookie'])
      holds(reply.bytes.length > 0, `body of ${reply.url}`, 'something', 'nothing')
    }
  })
test('json-parses: spec 1: what is served as JSON is JSON', async () => {
  for (const [path] of fixed.filter(([path]) => /json$|api-catalog|server-card$/.test(path)))
    for (const kind of kinds) isObject((await at(kind).get(path)).json, `${path} of the ${kind} site`)
})
test('conditional: standards 8.11 and 11: static reads have an ETag; If-None-Match answers 304 without a body', async () => {
  // A post may be published between the two requests: then they are made again.
  for (const path of '/index.json /feed.xml /policy.json /openapi.yml /llms.txt /.well-known/mcp/server-card.json /'.split(
    ' ',
  ))
    await eventually(async () => {
      const first = await at('message').get(path)
      isString(first.headers.etag, `etag of ${path}`)
      const again = await at('message').get(path, { headers: { 'if-none-match': first.headers.etag } })
      hasStatus(again, 304)
      equal(again.bytes.length, 0, `bytes of the 304 of ${path}`)
    }, 4)
})
test('head: standards 11: HEAD is answered like GET, without a body', async () => {
  for (const [path] of fixed) {
    const reply = await at('message').head(path)
    hasStatus(reply, 200)
    equal(reply.bytes.length, 0, `bytes of HEAD ${path}`)
  }
})
test('open-to-other-origins: standards 11: public reads may be fetched from any origin (Access-Control-Allow-Origin: *)', async () => {
  for (const path of '/index.json /openapi.yml /policy.json /.well-known/mcp/server-card.json /mcp/server-card'.split(
    ' ',
  ))
    equal(
      (await at('message').get(path, { headers: { origin: 'https://elsewhere.example' } })).headers[
        'access-control-allow-origin'
      ],
      '*',
      `access-control-allow-origin of ${path}`,
    )
})
test('no-redirect-across-hosts: decisions 11: a static path never redirects across hosts', async () => {
  for (const kind of kinds)
    for (const path of '/docs /policy /problems /changelog /versioning /about /topics/tea //example.com/ /p/.. /.well-known'.split(
      ' ',
    )) {
      const reply = await at(kind).get(path)
      if (reply.status >= 300 && reply.status < 400 && reply.headers.location)
        equal(new URL(reply.headers.location, sites[kind] + path).origin, sites[kind])
    }
})
test('no-rate-limit-headers: spec Limits: reading pages, feeds, sitemaps and JSON is not rate limited', async () => {
  for (const [path] of fixed)
    for (const name of ['ratelimit', 'ratelimit-policy'])
      holds(!(name in (await at('message').get(path)).headers), `${name} on ${path}`, 'absent', 'present')
})
test('missing-page: decisions 11: a page that does not exist is 404', async () => {
  for (const path of '/p/post_01hzzzzzzzzzzzzzzzzzzzzzzz /p/post_01hzzzzzzzzzzzzzzzzzzzzzzz.json /nothing /problems/nothing_like_this'.split(
    ' ',
  ))
    hasStatus(await at('message').get(path), 404)
})
test('traversal: decisions 11: no path leads out of the pages', async () => {
  for (const path of '/p/%2e%2e/%2e%2e/package.json /..%2f..%2fpackage.json /p/..%5c..%5cpackage.json /.env /.git/HEAD /package.json /%2e%2e/%2e%2e/%2e%2e/etc/passwd'.split(
    ' ',
  )) {
    const reply = await at('message').get(path)
    oneOf(reply.status, [400, 403, 404], `status of ${path}`)
    noMatch(reply.text, /"dependencies"|root:x:|ref: refs/, path)
  }
})

test('search-page: decisions 11: /search is the search page: HTML with a form that sends q, without JavaScript', async () => {
  for (const kind of kinds) {
    const page = await at(kind).get('/search', { headers: { accept: 'text/html' } })
    hasStatus(page, 200)
    hasType(page, html)
    holds(
      tags(page.text, 'input').some(({ name }) => name === 'q'),
      `/search of the ${kind} site`,
      'a field named q',
      tags(page.text, 'input').map(({ name }) => name),
    )
    noMatch(page.text, /<script\b(?![^>]*application\/ld\+json)/i, 'page, which works without JavaScript')
    holds(!('set-cookie' in page.headers), 'set-cookie of /search', 'absent', page.headers['set-cookie'])
  }
})

// The pages of a post -------------------------------------------------------------------------------
for (const kind of kinds) {
  test(`post-json-${kind}: spec Endpoints 6: /p/{id}.json is the ${kind} as JSON, the same as the API's`, async () => {
    const post = await published[kind]()
    const reply = await eventually(async () => {
      const reply = await at(kind).get(`/p/${post.id}.json`)
      hasStatus(reply, 200)
      return reply
    })
    sameJson(isOkJson(reply), await publicPost(kind, post.id), `/p/${post.id}.json`)
    equal(reply.json.content_trust, untrusted)
  })
  test(`post-page-${kind}: decisions 11: /p/{id} is the ${kind} as HTML, labelled, licensed, with links to its other forms`, async () => {
    const post = await published[kind]()
    const page = await eventually(async () => {
      const page = await at(kind).get(`/p/${post.id}`, { headers: { accept: 'text/html' } })
      hasStatus(page, 200)
      return page
    })
    hasType(page, html)
    const text = visibleText(page.text)
    for (const words of [post.body.title, (post.body.text ?? post.body.body).split('\n')[0].slice(0, 60)].filter(
      Boolean,
    ))
      includes(text, words.replace(/\s+/g, ' '), `text of /p/${post.id}`)
    match(page.text, new RegExp(untrusted), 'label in the page')
    holds(
      linksWithRel(page.text, 'license', page.url).some(({ href }) => href === licence),
      'rel="license"',
      licence,
      linksWithRel(page.text, 'license', page.url).map(({ href }) => href),
    )
    const alternates = linksWithRel(page.text, 'alternate', page.url).map(({ href }) => href)
    for (const form of ['.json', '.md']) includes(alternates, `${sites[kind]}/p/${post.id}${form}`, 'rel="alternate"')
    noMatch(page.text, /<script\b(?![^>]*application\/ld\+json)/i, 'page, which works without JavaScript')
  })
  test(`post-markdown-${kind}: decisions 11: /p/{id}.md is the ${kind} as Markdown, labelled`, async () => {
    const post = await published[kind]()
    await eventually(async () => {
      const reply = await at(kind).get(`/p/${post.id}.md`)
      hasStatus(reply, 200)
      hasType(reply, markdown)
      includes(reply.text.replace(/\\(?=\W)/g, ''), (post.body.title ?? post.body.text).slice(0, 40), 'text')
      match(reply.text, /untrusted/i, 'label in the Markdown')
    })
  })
  test(`post-negotiation-${kind}: decisions 11: /p/{id} answers Accept: application/json and text/markdown too (${kind})`, async () => {
    const post = await published[kind]()
    await eventually(async () => {
      const asJson = await at(kind).get(`/p/${post.id}`, { headers: { accept: 'application/json' } })
      equal(isOkJson(asJson).id, post.id, 'id in the JSON form')
      const asMarkdown = await at(kind).get(`/p/${post.id}`, { headers: { accept: 'text/markdown' } })
      hasStatus(asMarkdown, 200)
      hasType(asMarkdown, markdown)
    })
  })
}
test('post-negotiation-vary: RFC 9110: what is chosen by Accept says Vary: Accept', async () => {
  const post = await published.message()
  await eventually(async () => {
    const reply = await at('message').get(`/p/${post.id}`, { headers: { accept: 'application/json' } })
    hasStatus(reply, 200)
    match(reply.headers.vary, /accept/i)
  })
})
test('post-json-headers: standards 11 and 8.16: /p/{id}.json has an ETag and Link rel="license"', async () => {
  const post = await published.message()
  await eventually(async () => {
    const reply = await at('message').get(`/p/${post.id}.json`)
    hasStatus(reply, 200)
    isString(reply.headers.etag)
    holds(
      linksOf(reply, 'license').some(({ href }) => href === licence),
      'Link rel="license"',
      licence,
      reply.headers.link ?? 'none',
    )
  })
})
test('user-links: standards 8.15: links that a user wrote are rel="ugc nofollow"', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const post = await publish(
    'message',
    bodies.message({
      text: `The new tram map of the harbour line ${marker()} is at https://example.com/tram-map for everybody to print.`,
    }),
    account,
  )
  await eventually(async () => {
    const page = await at('message').get(`/p/${post.id}`)
    hasStatus(page, 200)
    // Whether a page makes a link of it is open; if it does, the link says whose it is.
    for (const link of tags(page.text, 'a').filter(({ href }) => href === 'https://example.com/tram-map')) {
      match(link.rel, /\bugc\b/, 'rel of a link that a user wrote')
      match(link.rel, /\bnofollow\b/, 'rel of a link that a user wrote')
    }
  })
})
/** The first that is published: a filter or the model may mind the bolder one, which is not what decisions call ordinary text. */
const markup = fixture('a published message with markup in it', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const outcomes = []
  for (const [text, raw] of [
    [
      `A hint for beginners from the web workshop ${marker()}: write <b>bold</b> for bold letters, &amp; for an ampersand, close a script with </script><script>alert(1)</script> and a section with ]]> in the end.`,
      ['<b>bold</b>', '<script>alert(1)', '</script><script>'],
    ],
    [
      `The web workshop ${marker()} explains on Tuesday why <b>bold</b> and <i>slanted</i> letters are written like this, and what &amp; stands for.`,
      ['<b>bold</b>', '<i>slanted</i>'],
    ],
  ] as Json[][]) {
    const submitted = await submit('message', { text }, account)
    if (submitted.status === 202) {
      const { record } = await waitForDecision('message', submitted.json.id, account)
      if (record.status === 'published') return { id: submitted.json.id, text, raw }
      outcomes.push(record.status)
    } else outcomes.push(String(submitted.data?.code ?? submitted.status))
  }
  skip(`no message with markup was published (${outcomes.join(', ')}), so its escaping cannot be seen`)
})
test('escaping-html: style: user text enters a page escaped', async () => {
  const post = await markup()
  await eventually(async () => {
    const page = await at('message').get(`/p/${post.id}`, { headers: { accept: 'text/html' } })
    hasStatus(page, 200)
    for (const raw of post.raw) excludes(page.text, raw, 'page')
    includes(visibleText(page.text), post.text, 'text a person reads')
  })
})
test('escaping-json: decisions 6: JSON gives the text exactly as written', async () => {
  const post = await markup()
  equal((await publicPost('message', post.id)).content.text, post.text)
})
test('escaping-rss: standards 8.4: a description is read as HTML, so user text is escaped twice', async () => {
  const post = await markup()
  await eventually(async () => {
    const reply = await at('message').get('/feed.xml')
    const channel = childrenOf(parseXml(reply.text, '/feed.xml'), 'channel')[0]
    const item = childrenOf(channel, 'item').find((entry) => JSON.stringify(entry).includes(post.id))
    if (!item) fail('/feed.xml', `an item for ${post.id}`, 'none')
    for (const raw of post.raw) excludes(textOf(item, 'description') ?? '', raw, 'description, once unescaped')
  })
})
test('escaping-json-feed: standards 8.3: content_text is the text as written, content_html is escaped', async () => {
  const post = await markup()
  await eventually(async () => {
    const item = (await at('message').get('/index.json')).json.items.find((entry) =>
      JSON.stringify(entry).includes(post.id),
    )
    if (!item) fail('/index.json', `an item for ${post.id}`, 'none')
    if (item.content_text !== undefined) equal(item.content_text, post.text)
    for (const raw of post.raw) excludes(item.content_html ?? '', raw, 'content_html')
  })
})
test('security-headers: standards 9: pages carry a content security policy and nosniff', async () => {
  const post = await published.message()
  const page = await at('message').get(`/p/${post.id}`)
  isString(page.headers['content-security-policy'])
  noMatch(page.header('content-security-policy'), /script-src[^;]*'unsafe-inline'/)
})
test('small-pages: decisions 11: every page is under 50 KB compressed', async () => {
  const post = await published.story()
  let largest = 0
  for (const [kind, path] of [
    ...fixed.filter(([, type]) => type === html).map(([path]) => ['message', path]),
    ['story', `/p/${post.id}`],
  ] as Json[][]) {
    const reply = await at(kind).get(path)
    const size = gzipSync(reply.bytes).length
    holds(size < 50 * 1024, `${path} compressed`, 'under 51,200 bytes', size)
    largest = Math.max(largest, size)
  }
})
test('pages-have-other-forms: decisions 11: every page links its other forms and its licence', async () => {
  await published.message()
  const page = await at('message').get('/')
  const alternates = linksWithRel(page.text, 'alternate', page.url).map(({ href }) => href)
  for (const path of ['/index.json', '/feed.xml'])
    includes(alternates, sites.message + path, 'rel="alternate" of the first page')
  holds(
    linksWithRel(page.text, 'license', page.url).some(({ href }) => href === licence),
    'rel="license" of the first page',
    licence,
    'none',
  )
})

// Freshness -----------------------------------------------------------------------------------------
test('freshness: spec States: the public post becomes available when it is published (measured: page, JSON, feeds)', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const topic = `bb-${marker()}`
  const post = await publish('message', bodies.message({ topics: [topic] }), account)
  for (const path of [`/p/${post.id}.json`, `/p/${post.id}`, '/index.json', '/feed.xml', `/topics/${topic}/index.json`])
    await eventually(async () => {
      const reply = await at('message').get(path)
      hasStatus(reply, 200)
      includes(reply.text, post.id, path)
    })
})
const deletedPage = fixture('a page whose post was deleted', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const post = await publish('message', bodies.message({ topics: [`bb-${marker()}`] }), account)
  // Seen on its page first, so that its disappearance means something.
  await eventually(async () => hasStatus(await at('message').get(`/p/${post.id}.json`), 200))
  hasStatus(await at('message').delete(`/v1/posts/${post.id}`, { key: account.key }), 200)
  return post
})
test('removed-after-delete: spec States: DELETE removes the page on the next rebuild (decisions 11: /p/{id} of a deleted post answers 410)', async () => {
  const post = await deletedPage()
  await eventually(async () => {
    equal((await at('message').get(`/p/${post.id}`)).status, 410, `status of /p/${post.id}`)
    // Only of the page itself the status is settled.
    for (const form of ['.json', '.md'])
      oneOf((await at('message').get(`/p/${post.id}${form}`)).status, [404, 410], `status of /p/${post.id}${form}`)
  })
})
test('removed-from-feeds: spec States: a deleted post leaves the feeds', async () => {
  const post = await deletedPage()
  await eventually(async () => {
    for (const path of [
      '/index.json',
      '/feed.xml',
      `/topics/${post.body.topics[0]}/index.json`,
      `/topics/${post.body.topics[0]}/feed.xml`,
    ]) {
      const reply = await at('message').get(path)
      if (reply.status === 200) excludes(reply.text, post.id, path)
    }
  })
})
test('deleted-list: decisions 11: /deleted.json has the ids of posts deleted in the last 30 days', async () => {
  const post = await deletedPage()
  await eventually(async () => includes((await at('message').get('/deleted.json')).text, post.id, '/deleted.json'))
})

test("ended-event-says-so: decisions 5: an ended event's own page stays and says so; it leaves the feeds", async () => {
  const post = await ended()
  await eventually(async () => {
    const page = await at('event').get(`/p/${post.id}`)
    hasStatus(page, 200)
    match(visibleText(page.text), /\b(ended|over|past|finished)\b/i, 'page of an ended event')
    for (const path of ['/index.json', '/feed.xml', `/topics/${post.topic}/index.json`])
      excludes((await at('event').get(path)).text, post.id, path)
  })
})
test('no-email-in-pages: spec Endpoints (relay): an address is never published', async () => {
  const posts = await Promise.all(kinds.map((kind) => published[kind]).map((need) => need()))
  for (const post of posts)
    for (const path of [`/p/${post.id}.json`, `/p/${post.id}.md`, `/p/${post.id}`, '/index.json', '/feed.xml']) {
      const reply = await at(post.kind).get(path)
      for (const secret of [post.account.email, post.account.key])
        excludes(reply.text, secret, `${path} of the ${post.kind} site`)
    }
})

// Feeds ---------------------------------------------------------------------------------------------
function isJsonFeed(reply, url) {
  hasStatus(reply, 200)
  hasType(reply, feedJson)
  const feed = reply.json
  equal(feed.version, 'https://jsonfeed.org/version/1.1')
  isString(feed.title)
  isArray(feed.items)
  equal(feed.feed_url, url)
  isString(feed.home_page_url)
  const labelled = (object) =>
    Object.entries(object).some(([name, value]) => /^_[a-z]/i.test(name) && JSON.stringify(value).includes(untrusted))
  holds(labelled(feed), 'feed', `an extension (_name) with ${untrusted}`, Object.keys(feed))
  for (const item of feed.items) {
    isString(item.id, 'id of an item')
    holds(
      typeof item.content_text === 'string' || typeof item.content_html === 'string',
      'item',
      'content_text or content_html',
      item,
    )
    match(item.date_published, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
    holds(labelled(item), 'item', `an extension (_name) with ${untrusted}`, Object.keys(item))
  }
  equal(new Set(feed.items.map(({ id }) => id)).size, feed.items.length, 'different ids of items')
  return feed
}
function isRss(reply, url) {
  hasStatus(reply, 200)
  hasType(reply, rss)
  const root = parseXml(reply.text, url)
  equal(root.name, 'rss', 'root element')
  equal(root.attributes.version, '2.0', 'version of rss')
  const channel = childrenOf(root, 'channel')[0]
  for (const name of ['title', 'link', 'description']) isString(textOf(channel, name), `channel/${name}`)
  const self = childrenOf(channel, 'atom:link').find((link) => link.attributes.rel === 'self')
  equal(self?.attributes.href, url, 'atom:link rel="self"')
  const items = childrenOf(channel, 'item')
  for (const item of items) {
    holds(Boolean(textOf(item, 'title') ?? textOf(item, 'description')), 'item', 'a title or a description', item)
    isString(textOf(item, 'guid'), 'guid')
    match(textOf(item, 'pubDate'), /^\w{3}, \d{2} \w{3} \d{4} \d\d:\d\d:\d\d (GMT|[+-]\d{4})$/, 'pubDate')
  }
  equal(new Set(items.map((item) => textOf(item, 'guid'))).size, items.length, 'different guids')
  return { channel, items, root }
}
for (const kind of kinds) {
  test(`json-feed-${kind}: spec Endpoints 6: /index.json of the ${kind} site is a JSON Feed 1.1 of the latest posts, labelled`, async () => {
    await published[kind]()
    const feed = isJsonFeed(await at(kind).get('/index.json'), `${sites[kind]}/index.json`)
    holds(feed.items.length > 0, 'items', 'at least one', 0)
    for (const item of feed.items)
      holds(
        (item.url ?? item.id).startsWith(`${sites[kind]}/p/`),
        'url of an item',
        `a page of the ${kind} site`,
        item.url ?? item.id,
      )
    const times = feed.items.map((item) => Date.parse(item.date_published))
    equal(times.join(), times.toSorted((a, b) => b - a).join(), 'order, newest first')
  })
  test(`rss-${kind}: spec Endpoints 6: /feed.xml of the ${kind} site is well-formed RSS 2.0 with its licence`, async () => {
    await published[kind]()
    const { items, root } = isRss(await at(kind).get('/feed.xml'), `${sites[kind]}/feed.xml`)
    holds(items.length > 0, 'items', 'at least one', 0)
    includes(JSON.stringify(root), 'creativecommons.org/licenses/by/4.0', 'feed')
  })
  test(`topic-feeds-${kind}: spec Endpoints 6: every topic has its own feed (${kind}; decisions 11: page, index.json, feed.xml)`, async () => {
    const post = await published[kind]()
    const base = `${sites[kind]}/topics/${post.body.topics[0]}/`
    await eventually(async () => {
      const feed = isJsonFeed(await request('GET', `${base}index.json`), `${base}index.json`)
      equal(feed.items.length, 1, 'items with a topic used once')
      includes(JSON.stringify(feed.items[0]), post.id, 'item')
      equal(isRss(await request('GET', `${base}feed.xml`), `${base}feed.xml`).items.length, 1, 'items of the RSS feed')
      const page = await request('GET', base)
      hasStatus(page, 200)
      hasType(page, html)
      includes(page.text, `/p/${post.id}`, base)
      const alternates = linksWithRel(page.text, 'alternate', base).map(({ href }) => href)
      for (const form of ['index.json', 'feed.xml']) includes(alternates, base + form, 'rel="alternate"')
    })
  })
}
for (const kind of ['message', 'classified', 'event'])
  test(`place-feeds-${kind}: spec Endpoints 6: every place has its own feed (${kind}; decisions 11: /places/{country}/ and /places/{country}/{state}/, codes in lowercase)`, async () => {
    const post = await published[kind]()
    await eventually(async () => {
      for (const base of [`${sites[kind]}/places/de/`, `${sites[kind]}/places/de/de-be/`]) {
        const feed = isJsonFeed(await request('GET', `${base}index.json`), `${base}index.json`)
        holds(
          JSON.stringify(feed.items).includes(post.id) || feed.items.length >= 20,
          `${base}index.json`,
          `the post ${post.id}`,
          `${feed.items.length} others`,
        )
        isRss(await request('GET', `${base}feed.xml`), `${base}feed.xml`)
        const page = await request('GET', base)
        hasStatus(page, 200)
        hasType(page, html)
      }
    })
  })
test('city-feeds: decisions 11: /places/{country}/{state or -}/{geonames_id}/ with its feeds', async () => {
  const post = await published.message()
  await eventually(async () => {
    const base = `${sites.message}/places/de/de-be/2950159/`
    const feed = isJsonFeed(await request('GET', `${base}index.json`), `${base}index.json`)
    holds(
      JSON.stringify(feed.items).includes(post.id) || feed.items.length >= 20,
      `${base}index.json`,
      `the post ${post.id}`,
      `${feed.items.length} others`,
    )
    isRss(await request('GET', `${base}feed.xml`), `${base}feed.xml`)
  })
})
test('ics: decisions 11: events.ics on the event site is iCalendar', async () => {
  const post = await published.event()
  await eventually(async () => {
    for (const path of ['/events.ics', `/topics/${post.body.topics[0]}/events.ics`]) {
      const reply = await at('event').get(path)
      hasStatus(reply, 200)
      hasType(reply, /^text\/calendar\b/i)
      const lines = icsLines(reply.bytes, path)
      equal(lines[0], 'BEGIN:VCALENDAR', 'first line')
      equal(lines.at(-1), 'END:VCALENDAR', 'last line')
      for (const start of ['VERSION:2.0', 'PRODID:', 'BEGIN:VEVENT', 'UID:', 'DTSTAMP:'])
        holds(
          lines.some((line) => line.startsWith(start)),
          path,
          start,
          lines.slice(0, 12),
        )
      if (path !== '/events.ics') {
        const utc = (time) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')
        const start = lines.find((line) => /^DTSTART[:;]/.test(line))
        // Written in UTC, or in the zone together with its definition.
        holds(
          start === `DTSTART:${utc(post.body.starts_at)}` || (/TZID=/.test(start) && lines.includes('BEGIN:VTIMEZONE')),
          'DTSTART',
          utc(post.body.starts_at),
          start,
        )
      }
    }
  })
})
test('archive: decisions 11: /archive/{yyyy-mm}/{n}/ holds the posts of a month, pages numbered from the oldest', async () => {
  const post = await published.message()
  const month = (await publicPost('message', post.id)).published_at.slice(0, 7)
  await eventually(async () => {
    let last = 0
    for (let page = 1; page <= 40; page++) {
      const reply = await at('message').get(`/archive/${month}/${page}/`)
      if (reply.status !== 200) break
      hasType(reply, html)
      last = page
      if (reply.text.includes(post.id)) return
    }
    fail(`/archive/${month}/1/ to /${last}/`, `the post ${post.id}`, 'pages without it')
  })
})

// Indexes -------------------------------------------------------------------------------------------
test('sitemap: spec Endpoints 6 and standards 8.5: /sitemap.xml is an index of sitemaps of this host, and a published post is in one', async () => {
  const posts = await Promise.all(kinds.map((kind) => published[kind]).map((need) => need()))
  await eventually(async () => {
    for (const post of posts) {
      const root = parseXml((await at(post.kind).get('/sitemap.xml')).text, '/sitemap.xml')
      equal(root.name, 'sitemapindex', 'root element of /sitemap.xml')
      equal(root.attributes.xmlns, 'http://www.sitemaps.org/schemas/sitemap/0.9')
      const locations = childrenOf(root, 'sitemap').map((entry) => textOf(entry, 'loc'))
      holds(locations.length > 0, 'sitemaps in the index', 'at least one', 0)
      let found = false
      for (const location of locations) {
        equal(new URL(location).origin, sites[post.kind], 'origin of a sitemap')
        const reply = await request('GET', location)
        hasStatus(reply, 200)
        const bytes = reply.bytes[0] === 0x1f && reply.bytes[1] === 0x8b ? gunzipSync(reply.bytes) : reply.bytes
        const set = parseXml(bytes.toString('utf8'), location)
        equal(set.name, 'urlset', `root element of ${location}`)
        const urls = childrenOf(set, 'url').map((entry) => textOf(entry, 'loc'))
        holds(urls.length <= 50_000, `urls in ${location}`, 'at most 50,000', urls.length)
        for (const url of urls)
          holds(url.startsWith(`${sites[post.kind]}/`), 'loc', `an address of ${sites[post.kind]}`, url)
        found ||= urls.includes(`${sites[post.kind]}/p/${post.id}`)
      }
      holds(found, `sitemaps of the ${post.kind} site`, `/p/${post.id}`, 'none of it')
    }
  }, freshnessSeconds * 2)
})
test('llms: standards 8.2: llms.txt has one H1, a blockquote, then H2 sections of links, and no user text', async () => {
  const post = await published.message()
  for (const kind of kinds) {
    const { text } = await at(kind).get('/llms.txt')
    const lines = text.split(/\r?\n/)
    match(lines[0], /^# \S/, 'first line')
    equal(lines.filter((line) => /^# /.test(line)).length, 1, 'H1 lines')
    equal(lines.filter((line) => /^#{3,} /.test(line)).length, 0, 'H3 and deeper')
    holds(
      lines.some((line) => /^> \S/.test(line)),
      'llms.txt',
      'a blockquote with the summary',
      lines.slice(0, 4),
    )
    const sections = lines.findIndex((line) => /^## /.test(line))
    holds(sections > 0, 'llms.txt', 'H2 sections', 'none')
    for (const line of lines.slice(sections).filter((line) => line.trim() && !/^## /.test(line)))
      match(line, /^(- \[[^\]]+\]\([^)\s]+\)(: .+)?|\s+.+)$/, 'line in a section')
    match(text, /untrusted/i, 'sentence on untrusted text')
    noMatch(text, new RegExp(wordOf(post.body.text)), 'llms.txt')
  }
})
test('llms-links: standards 8.2: the links of llms.txt are absolute and resolve', async () => {
  const { text } = await at('message').get('/llms.txt')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, url]) => url)
  holds(links.length >= 3, 'links', 'at least three', links.length)
  for (const link of links) {
    match(link, /^https?:\/\//)
    if (!Object.values(sites).includes(new URL(link).origin)) continue
    const reply = await request('GET', link)
    // The MCP endpoint answers GET with 405, and search wants its q.
    oneOf(reply.status, /\/mcp$/.test(link) ? [405] : /\/v1\/search/.test(link) ? [200, 400] : [200])
  }
})
test('api-catalog: spec Endpoints 6 (RFC 9727): a linkset whose contexts have an anchor and arrays of targets with absolute href', async () => {
  for (const kind of kinds) {
    const { linkset } = (await at(kind).get('/.well-known/api-catalog')).json
    isArray(linkset)
    for (const context of linkset) {
      match(context.anchor, /^https?:\/\//)
      for (const [relation, targets] of Object.entries<Json>(context)) {
        if (relation === 'anchor') continue
        isArray(targets, `targets of ${relation}`)
        for (const target of targets) match(target.href, /^https?:\/\//, `href of ${relation}`)
      }
    }
    const text = JSON.stringify(linkset)
    for (const path of ['/openapi.yml', '/v1/status']) includes(text, `${sites[kind]}${path}`, 'linkset')
    holds(
      linkset.some((context) => 'service-desc' in context),
      'linkset',
      'a service-desc',
      Object.keys(linkset[0] ?? {}),
    )
  }
})
test('api-catalog-head: RFC 9727: HEAD answers with Link rel="api-catalog"', async () => {
  for (const kind of kinds) {
    const reply = await at(kind).head('/.well-known/api-catalog')
    hasStatus(reply, 200)
    equal(
      linksOf(reply, 'api-catalog')[0]?.href && new URL(linksOf(reply, 'api-catalog')[0].href, sites[kind]).href,
      `${sites[kind]}/.well-known/api-catalog`,
      'href of rel="api-catalog"',
    )
  }
})
test('api-catalog-links: RFC 9727: descriptions, documents and status that the catalog names can be read', async () => {
  const { linkset } = (await at('message').get('/.well-known/api-catalog')).json
  for (const context of linkset)
    for (const relation of ['service-desc', 'service-doc', 'service-meta', 'status'])
      for (const { href } of context[relation] ?? [])
        if (Object.values(sites).includes(new URL(href).origin)) hasStatus(await request('GET', href), 200)
})
test('server-card: spec Endpoints 6 (SEP-2127): the MCP server card', async () => {
  for (const kind of kinds) {
    const body = (await at(kind).get('/.well-known/mcp/server-card.json')).json
    equal(body.$schema, 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json')
    match(body.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    isString(body.version)
    isString(body.description)
    holds(body.description.length <= 100, 'description', 'at most 100 characters', body.description.length)
    isArray(body.remotes)
    const remote = body.remotes.find(({ url }) => url === `${sites[kind]}/mcp`)
    isObject(remote, `remote with the url ${sites[kind]}/mcp`)
    equal(remote.type, 'streamable-http', 'type of the remote')
    for (const revision of ['2026-07-28', '2025-11-25'])
      includes(remote.supportedProtocolVersions ?? [], revision, 'supportedProtocolVersions')
  }
})
test('server-card-twice: standards 6: the same bytes at /.well-known/mcp/server-card.json and /mcp/server-card', async () => {
  for (const kind of kinds)
    equal((await at(kind).get('/mcp/server-card')).text, (await at(kind).get('/.well-known/mcp/server-card.json')).text)
})
test('ai-catalog: standards 6: the AI catalog names the server card', async () => {
  for (const kind of kinds) {
    const body = (await at(kind).get('/.well-known/ai-catalog.json')).json
    isString(body.specVersion)
    isArray(body.entries)
    holds(
      body.entries.some((entry) => String(entry.url).startsWith(sites[kind]) && /server-card/.test(entry.url)),
      'entries',
      'the server card of this site',
      body.entries,
    )
  }
})
test('apis-json: standards 8.1: apis.json has its mandatory members, and the OpenAPI document', async () => {
  for (const kind of kinds) {
    const body = (await at(kind).get('/apis.json')).json
    for (const member of ['aid', 'name', 'description', 'url', 'created', 'modified', 'specificationVersion'])
      isString(body[member], member)
    for (const member of ['tags', 'apis', 'maintainers']) isArray(body[member], member)
    equal(body.url, `${sites[kind]}/apis.json`)
    for (const api of body.apis)
      for (const member of ['name', 'description', 'humanURL', 'baseURL']) isString(api[member], `${member} of an api`)
    includes(JSON.stringify(body.apis), `${sites[kind]}/openapi.yml`, 'apis')
  }
})
const endpoints =
  '/v1/accounts /v1/account /v1/posts /v1/search /v1/status /v1/pricing /v1/policy /v1/posts/{id} /v1/reports /v1/webhooks /v1/webhooks/{id}/test /v1/webhooks/{id}'.split(
    ' ',
  )
test('openapi-json: decisions 12: OpenAPI 3.1 that describes every endpoint of the specification', async () => {
  for (const kind of kinds) {
    const body = (await at(kind).get('/openapi.json')).json
    match(body.openapi, /^3\.1\.\d+$/)
    // Parameter names are open, and so is whether /v1 stands in the server's url.
    const paths = Object.keys(body.paths).map((path) =>
      (path.startsWith('/v1') ? path : `/v1${path}`).replace(/\{[^}]+\}/g, '{id}'),
    )
    const wanted = kind === 'classified' ? [...endpoints, '/v1/relay'] : endpoints
    equal(wanted.filter((path) => !paths.includes(path)).join(' '), '')
    includes(JSON.stringify(body), 'application/problem+json', 'document')
  }
})
test('openapi-yml: spec Versioning 3: the REST contract is published as /openapi.yml', async () => {
  for (const kind of kinds) {
    const { text } = await at(kind).get('/openapi.yml')
    match(text, /^["']?openapi["']?:\s*["']?3\.1\.\d/m, 'openapi.yml')
    for (const word of ['accounts', 'webhooks', 'search']) includes(text, word, 'openapi.yml')
  }
})
test('openapi-limits: decisions 5: the contract states the limits of its site', async () => {
  match(JSON.stringify((await at('message').get('/openapi.json')).json), /"maxLength":500\b/)
  match(JSON.stringify((await at('classified').get('/openapi.json')).json), /for-parts/, 'conditions of a classified')
})
test('asyncapi: spec Versioning 3: the event contract names every event', async () => {
  for (const kind of kinds) {
    const { text } = await at(kind).get('/asyncapi.yml')
    match(text, /^["']?asyncapi["']?:\s*["']?3\.\d/m, 'asyncapi.yml')
    for (const name of 'post.published post.rejected post.review post.removed webhook.test webhook-id webhook-timestamp webhook-signature'.split(
      ' ',
    ))
      includes(text, name, 'asyncapi.yml')
  }
})
test('changelog-feed: spec Versioning 4: the changelog has an RSS feed', async () => {
  for (const kind of kinds) isRss(await at(kind).get('/changelog/feed.xml'), `${sites[kind]}/changelog/feed.xml`)
})
test('versioning-page: decisions 12: the versioning page says 180 days, Deprecation and Sunset', async () => {
  const text = visibleText((await at('message').get('/versioning/')).text)
  for (const word of ['180', 'Deprecation', 'Sunset']) includes(text, word, '/versioning/')
})
test('plans: spec Endpoints 6: /plans.json has the prices of /v1/pricing as data', async () => {
  const numbers = (document) =>
    [...JSON.stringify(document).matchAll(/[:[,](\d+)\b/g)]
      .map(([, number]) => Number(number))
      .toSorted((a, b) => a - b)
  for (const kind of kinds) {
    const file = new Set(numbers((await at(kind).get('/plans.json')).json))
    // The prices that decisions 4 give; names of members are open.
    const expected = [
      { message: 20_000, story: 100_000, classified: 200_000, event: 100_000 }[kind],
      10_000,
      10,
      1_000,
      5_000_000,
      10_000_000,
      25_000_000,
      50_000_000,
    ]
    equal(expected.filter((amount) => !file.has(amount)).join(', '), '')
  }
})
test('policy-twice: spec Versioning 2: the policy is served at /v1/policy and /policy.json, in one version', async () => {
  for (const kind of kinds) {
    const version = (document) => document.version
    const [api, file] = [isOkJson(await at(kind).get('/v1/policy')), isOkJson(await at(kind).get('/policy.json'))]
    holds(version(api) !== undefined, 'version of /v1/policy', 'one', Object.keys(api))
    equal(version(file), version(api), 'version of /policy.json')
    equal(file.categories?.map(({ id }) => id).join(), api.categories?.map(({ id }) => id).join())
  }
})
test('policy-page: spec Versioning 2: the policy page names the version of /policy.json', async () => {
  const policy = (await at('message').get('/policy.json')).json
  const version = String(policy.version)
  includes(visibleText((await at('message').get('/policy/')).text), version, '/policy/')
})
test('policy-examples: spec Endpoints: the policy has examples of violating and of non-violating content for each category', async () => {
  const { categories } = (await at('message').get('/policy.json')).json
  isArray(categories)
  for (const { id, examples } of categories)
    for (const member of id === 'sexual_minors' ? ['non_violating'] : ['violating', 'non_violating'])
      holds(examples?.[member]?.length > 0, `examples.${member} of ${id}`, 'at least one', examples)
})
test('rate-limits: spec Limits: /rate-limits.json has every limit', async () => {
  for (const kind of kinds) {
    const text = JSON.stringify((await at(kind).get('/rate-limits.json')).json)
    for (const number of [100, 20, 86_400, 200, 5])
      match(text, new RegExp(`[:,\\[]"?${number}\\b`), `${number} in /rate-limits.json`)
    match(text, /search-free/, 'the policy name search-free')
  }
})
test('robots: standards 8.7: robots.txt names the sitemap and leaves posts open', async () => {
  for (const kind of kinds) {
    const { text } = await at(kind).get('/robots.txt')
    match(text, /^User-agent: ?\*/im, 'robots.txt')
    includes(text, `Sitemap: ${sites[kind]}/sitemap.xml`, 'robots.txt')
    noMatch(text, /^Disallow: ?\/(p\/?)?\s*$/im, 'robots.txt')
  }
})
test('security-txt: RFC 9116: security.txt has Contact, and Expires within a year', async () => {
  for (const kind of kinds) {
    const { text } = await at(kind).get('/.well-known/security.txt')
    match(text, /^Contact: \S+/m, 'Contact')
    const expires = [...text.matchAll(/^Expires: (\S+)\s*$/gm)]
    equal(expires.length, 1, 'Expires lines')
    const days = (Date.parse(expires[0][1]) - Date.now()) / 86_400_000
    holds(days > 0 && days < 367, 'Expires', 'a time within the next year', expires[0][1])
  }
})
test('json-ld: standards 8.15: structured data of a page is JSON that user text cannot leave', async () => {
  const posts = await Promise.all(kinds.map((kind) => published[kind]).map((need) => need()))
  for (const post of posts) {
    const page = await at(post.kind).get(`/p/${post.id}`, { headers: { accept: 'text/html' } })
    for (const [, open, body] of page.text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)) {
      if (!/ld\+json/.test(attributesOf(`<script ${open}>`).type ?? '')) continue
      try {
        JSON.parse(body)
      } catch {
        fail(`structured data of /p/${post.id}`, 'JSON', show(body))
      }
    }
  }
})

// The catalog of problems ---------------------------------------------------------------------------
const catalog =
  'malformed_json invalid_idempotency_key invalid_query missing_api_key invalid_api_key owner_session_required insufficient_balance owner_required account_banned email_unverified not_found post_not_found webhook_not_found method_not_allowed not_acceptable body_too_large unsupported_media_type too_many_webhooks too_many_keys invalid_state idempotency_in_progress post_gone unknown_site validation_failed terms_not_accepted prefilter_refused idempotency_key_reused rate_limited search_allowance_exhausted platform_busy internal_error unavailable'.split(
    ' ',
  )
async function hasProblemPage(kind, code) {
  const page = await at(kind).get(`/problems/${code}`, { headers: { accept: 'text/html' } })
  hasStatus(page, 200)
  hasType(page, html)
  match(page.text, new RegExp(code), `/problems/${code}`)
  // How the JSON form is asked for is open: by Accept, or by .json.
  const negotiated = await at(kind).get(`/problems/${code}`, { headers: { accept: 'application/json' } })
  const asJson = negotiated.isJson ? negotiated : await at(kind).get(`/problems/${code}.json`)
  hasStatus(asJson, 200)
  equal(asJson.json.code, code, `code in the JSON form of /problems/${code}`)
}
test('problem-pages: decisions 10: each code of the catalog has a page at /problems/{code}, in HTML and JSON', async () => {
  for (const code of catalog) await hasProblemPage('message', code)
})
test('problem-type-resolves: decisions 10: the type of a problem is a page that can be read', async () => {
  for (const kind of kinds) hasStatus(await request('GET', (await at(kind).get('/v1/account')).json.type), 200)
})
test('problem-index: spec Endpoints 6: /problems/ lists every code', async () => {
  for (const kind of kinds) {
    const { text } = await at(kind).get('/problems/')
    equal(catalog.filter((code) => !text.includes(code)).join(' '), '')
  }
})
test('problem-pages-say-who-acts: decisions 10: a problem page says who must act', async () => {
  const page = visibleText(
    (await at('message').get('/problems/insufficient_balance', { headers: { accept: 'text/html' } })).text,
  )
  match(page, /owner|human/i, '/problems/insufficient_balance')
})
test('json-for-every-page: spec 1: every human-visible item is also available as JSON', async () => {
  const post = await published.message()
  for (const path of ['/', `/p/${post.id}`, `/topics/${post.body.topics[0]}/`]) {
    const page = await at('message').get(path, { headers: { accept: 'text/html' } })
    const alternates = linksWithRel(page.text, 'alternate', page.url).map(({ href }) => href)
    const [form] = alternates.filter((href) => /\.json$/.test(href))
    isString(form, `JSON form of ${path}`)
    isObject((await request('GET', form)).json, `JSON form of ${path}`)
  }
})
test('times-are-utc: decisions, first paragraph: times are ISO 8601 in UTC with Z', async () => {
  const post = await published.message()
  isTime((await at('message').get(`/p/${post.id}.json`)).json.published_at)
})
