import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { postLicense } from '../../src/contract/post-license.ts'
import { kinds } from '../../src/kinds/index.ts'
import { newcomer, type Service, startService } from '../../tooling/environment/service.ts'

let service: Service
/** One post of each kind. */
const published = new Map<string, Published>()
before(async () => {
  service = await startService({ documents: true, judges: true })
  const key = await fundedKey()
  for (const { name } of kinds) published.set(name, await publish(key, name))
})
after(() => service?.[Symbol.asyncDispose]())

/** What one header, document, page or feed says about the use of posts, by the subject of the claim. */
type Statement = { where: string; claims: Record<string, string> }

test('everything that states the licence of posts states the same, on every site', async () => {
  for (const [name, post] of published) {
    const statements = await statementsOf(post)
    assert.deepEqual(disagreements(statements), [], name)
    assert.equal(statements.length, 23, name)
    for (const { where, claims } of statements) assert.ok(Object.keys(claims).length > 0, `${name}: ${where}`)
  }
})

test('the comparison fails if one statement differs in one claim', async () => {
  const statements = await statementsOf(published.get('story') ?? assert.fail())
  assert.deepEqual(disagreements(statements), [])
  let altered = 0
  for (const [at, { where, claims }] of statements.entries())
    for (const subject of Object.keys(claims)) {
      const other = { where, claims: { ...claims, [subject]: `not ${claims[subject]}` } }
      assert.notDeepEqual(disagreements(statements.with(at, other)), [], `${where}: ${subject}`)
      altered++
    }
  assert.ok(altered > 100, String(altered))
})

test('what cannot be written from the licence names the same one', () => {
  const files = globSync('src/{publishing/assets,documents}/**/*.{css,md}')
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bCC[ -]BY\b[-A-Z]*(?: \d\.\d)?/g)].map(([name]) => ({ file, name })),
  )
  assert(names.some(({ file }) => file.endsWith('print.css')))
  for (const { file, name } of names) assert.equal(name, postLicense.name, file)
})

test('no program repeats the name of the licence', () => {
  const files = globSync('src/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && !file.endsWith('post-license.ts'),
  )
  const lines = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes(postLicense.name) && !/^\s*(?:\*|\/)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(lines, [])
})

test('the licence file is RSL under its media type', async () => {
  for (const { name } of kinds) {
    const { headers } = await fetch(`${service.baseUrls[name]}/license.xml`)
    assert.equal(headers.get('content-type'), 'application/rsl+xml')
    assert.equal(headers.get('access-control-allow-origin'), '*')
  }
})

/** Each subject of which two different things are said, with what is said where. */
function disagreements(statements: readonly Statement[]): string[] {
  const all = statements.flatMap(({ where, claims }) =>
    Object.entries(claims).map(([subject, claim]) => ({ where, subject, claim })),
  )
  return [...Map.groupBy(all, ({ subject }) => subject)]
    .filter(([, said]) => new Set(said.map(({ claim }) => claim)).size > 1)
    .map(([subject, said]) => `${subject}: ${said.map(({ where, claim }) => `${where} says ${claim}`).join(', ')}`)
}

type Published = { baseUrl: string; id: string }

async function statementsOf({ baseUrl, id }: Published): Promise<Statement[]> {
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${baseUrl}${path}`, { headers })
    assert.equal(answer.status, 200, path)
    return { body: await answer.text(), headers: answer.headers }
  }
  const [page, json, markdown] = [
    await read(`/p/${id}`, { accept: 'text/html' }),
    await read(`/p/${id}.json`),
    await read(`/p/${id}.md`),
  ]
  const [rss, feed, robots, rsl] = [
    await read('/feed.xml'),
    await read('/index.json'),
    await read('/robots.txt'),
    await read('/license.xml'),
  ]
  const [api, catalog, llms] = [
    await read(`/v1/posts/${id}`),
    await read('/.well-known/api-catalog'),
    await read('/llms.txt'),
  ]
  const linkHeaders = Object.entries({ page, json, markdown, rss, feed }).flatMap(([form, { headers }]) => [
    { where: `Link of the ${form}`, claims: claimsOfLinks(String(headers.get('link'))) },
    { where: `Content-Usage of the ${form}`, claims: claimsOfUsage(String(headers.get('content-usage'))) },
  ])
  const [post, shown, listed] = [JSON.parse(json.body), JSON.parse(api.body), JSON.parse(feed.body)]
  const linked = JSON.parse(structuredData(page.body))
  return [
    ...linkHeaders,
    { where: 'robots.txt', claims: claimsOfRobots(robots.body) },
    { where: 'license.xml', claims: { rsl: `${baseUrl}/license.xml`, ...claimsOfRsl(rsl.body) } },
    { where: 'JSON', claims: claimsOfRecord(post.license) },
    {
      where: 'the credit line',
      claims: { spdx: String(post.content.attribution.split(', ').at(-1)).replaceAll(' ', '-') },
    },
    { where: 'the API', claims: claimsOfRecord(shown.license) },
    { where: 'JSON-LD', claims: claimsOfLicense(linked.license) },
    { where: 'HTML', claims: claimsOfHtml(page.body, baseUrl) },
    { where: 'Markdown', claims: claimsOfLicense(/^- Licence: .*<(.+)>$/m.exec(markdown.body)?.[1]) },
    {
      where: 'RSS',
      claims: together(
        [...rss.body.matchAll(/<creativeCommons:license>(.*?)</g)].map(([, url]) => claimsOfLicense(url)),
      ),
    },
    {
      where: 'RSS copyright',
      claims: { spdx: String(/licensed under (.+)\.<\/copyright>/.exec(rss.body)?.[1]).replaceAll(' ', '-') },
    },
    {
      where: 'JSON Feed',
      claims: together([listed, ...listed.items].map((one) => claimsOfRecord(one._broadside.license))),
    },
    { where: 'llms.txt', claims: claimsOfLlms(llms.body) },
    { where: 'the API catalog', claims: claimsOfCatalog(JSON.parse(catalog.body)) },
  ]
}

/** CC BY permits every use in return for credit. */
function claimsOfLicense(url: string | undefined): Record<string, string> {
  assert.ok(url)
  const [, terms] = /^https:\/\/creativecommons\.org\/licenses\/([a-z-]+)\/4\.0\/$/.exec(url) ?? []
  if (terms !== 'by') return { license: url }
  const uses = Object.fromEntries(['search', 'ai-input', 'ai-train', 'ai-index'].map((use) => [use, 'yes']))
  return { license: url, spdx: 'CC-BY-4.0', payment: 'attribution', ...uses }
}

const claimsOfRecord = ({ id, url }: { id: string; url: string }) => ({ ...claimsOfLicense(url), spdx: id })

/** RFC 8288: the licence for people has no type, and the one in RSL has its own. */
function claimsOfLinks(header: string) {
  const links = [...header.matchAll(/<([^>]+)>; rel="license"(?:; type="([^"]+)")?/g)]
  const typed = (type?: string) => links.find(([, , own]) => own === type)?.[1] ?? 'missing'
  return { ...claimsOfLicense(typed()), rsl: typed('application/rsl+xml') }
}

function claimsOfUsage(header: string) {
  const words: Record<string, string> = { y: 'yes', n: 'no' }
  const said = Object.fromEntries(header.split(', ').map((part) => part.split('=')))
  return { 'ai-train': words[said['train-ai']] ?? 'missing', search: words[said.search] ?? 'missing' }
}

function claimsOfRobots(text: string) {
  const line = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1] ?? 'missing'
  return {
    ...Object.fromEntries(
      line('Content-Signal')
        .split(', ')
        .map((part) => part.split('=')),
    ),
    rsl: line('License'),
  }
}

function claimsOfRsl(xml: string) {
  const element = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? ''
  assert.match(xml, /<rsl xmlns="https:\/\/rslstandard\.org\/rsl">\s*<content url="\/p\/">/)
  const usesOf = (name: string, word: string) =>
    element(new RegExp(`<${name} type="usage">(.*?)<`))
      .split(' ')
      .filter(Boolean)
      .map((use) => [use, word])
  return {
    ...Object.fromEntries([...usesOf('permits', 'yes'), ...usesOf('prohibits', 'no')]),
    license: element(/<standard>(.*?)</),
    payment: element(/<payment type="(.*?)"/),
  }
}

function claimsOfHtml(page: string, baseUrl: string) {
  const links = [...page.matchAll(/<(?:link|a) rel="license"(?: type="([^"]+)")? href="([^"]+)">/g)]
  assert.equal(links.length, 3)
  return together(
    links.map(([, type, href]) =>
      type === 'application/rsl+xml' ? { rsl: new URL(String(href), baseUrl).href } : claimsOfLicense(href),
    ),
  )
}

/** A link with the name of the licence. */
function claimsOfLlms(text: string) {
  const [, name = '', url] = /licensed under \[(.+?)\]\((.+?)\)/.exec(text) ?? []
  return { ...claimsOfLicense(url), spdx: name.replaceAll(' ', '-') }
}

function claimsOfCatalog({ linkset }: { linkset: { license?: { href: string; type?: string }[] }[] }) {
  const links = linkset.flatMap(({ license }) => license ?? [])
  return together(links.map(({ href, type }) => (type === undefined ? claimsOfLicense(href) : { rsl: href })))
}

const structuredData = (page: string) => /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? ''

/** The claims of one document, which must not contradict itself. */
function together(parts: readonly Record<string, string>[]): Record<string, string> {
  assert.deepEqual(disagreements(parts.map((claims) => ({ where: 'one part', claims }))), [])
  return Object.assign({}, ...parts)
}

async function fundedKey(): Promise<string> {
  const { body } = await service.client(undefined, 'message').createAccount(newcomer)
  await service.credit(body.id, 10_000_000)
  return body.api_key
}

async function publish(key: string, name: string): Promise<Published> {
  const kind = kinds.find((one) => one.name === name) ?? assert.fail()
  const { body } = await service.client(key, name).submitPost(kind.examples[0] as never)
  assert.ok('id' in body)
  await service.settle()
  return { baseUrl: String(service.baseUrls[name]), id: body.id }
}
