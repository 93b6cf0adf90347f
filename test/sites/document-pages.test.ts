import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { parseFeed } from 'feedsmith'
import { HtmlValidate, StaticConfigLoader } from 'html-validate'
import { problemsOf } from '../../src/contract/define-operation.ts'
import { problemCodes } from '../../src/contract/problems/problems.ts'
import { docsPages, otherTextPages } from '../../src/documents/pages/docs-pages.ts'
import { documentSite } from '../../src/documents/pages/document-site.ts'
import { readTemplate } from '../../src/documents/pages/fill.ts'
import { webhookVector } from '../../src/documents/pages/guides/webhooks.ts'
import { documentPages } from '../../src/documents/pages/index.ts'
import { isGenuine } from '../../src/documents/pages/snippets/verify.mts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { policy } from '../../src/policy/policy.ts'
import { sign } from '../../src/webhooks/secrets.ts'
import { htmlRules } from '../support/pages/valid-formats.ts'

const root = join(import.meta.dirname, '../..')
const pages = documentPages(exampleDeployment)
const htmlPages = [...pages].filter(([path]) => path.endsWith('.html'))
const pageAt = (path: string): string => {
  const page = pages.get(path)
  assert.ok(page !== undefined, `${path} is missing`)
  return page
}

/** The visible text: ghtml writes reserved HTML characters as numeric references. */
const readable = (page: string) =>
  page.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

test('every page passes html-validate’s rules for documents and accessibility', () => {
  const validator = new HtmlValidate(new StaticConfigLoader(htmlRules))
  const faults = htmlPages.flatMap(([path, page]) =>
    validator
      .validateStringSync(page)
      .results.flatMap(({ messages }) =>
        messages.map(({ line, ruleId, message }) => `${path}:${line} ${ruleId} ${message}`),
      ),
  )
  assert.deepEqual(faults, [])
})

test('every page is smaller than 50 KB in transfer', () => {
  const large = htmlPages.filter(([, page]) => gzipSync(page).length >= 50_000)
  assert.deepEqual(
    large.map(([path]) => path),
    [],
  )
})

test('every page has a unique title and description', () => {
  for (const { site } of kinds) {
    const own = htmlPages.filter(([path]) => path.startsWith(`${site.slug}/`)).map(([, page]) => page)
    const titles = own.map((page) => /<title>([^<]+)</.exec(page)?.[1])
    const descriptions = own.map((page) => /<meta name="description" content="([^"]+)"/.exec(page)?.[1])
    assert.ok([...titles, ...descriptions].every(Boolean))
    assert.equal(new Set(titles).size, own.length)
    assert.equal(new Set(descriptions).size, own.length)
  }
})

test('a link to a fragment of a page finds it', () => {
  const broken = htmlPages.flatMap(([path, page]) =>
    [...page.matchAll(/href="([^"#]*)#([^"]+)"/g)]
      .filter(([, target, id]) => !placesOf(path, page, String(target)).includes(`id="${id}"`))
      .map(([link]) => `${path}: ${link}`),
  )
  assert.deepEqual(broken, [])
})

function placesOf(path: string, page: string, target: string): string {
  if (target === '') return page
  return target.startsWith('/') ? pageAt(`${path.split('/')[0]}${target}index.html`) : `id="${target}"`
}

test('no page shows a gap, an object or a number without its unit', () => {
  for (const [path, page] of pages) assert.doesNotMatch(page, /\{\{|undefined|\[object|NaN|>\\n</, path)
})

test('the reference lists every operation with its fields and all its problems', () => {
  for (const kind of kinds) {
    const page = pageAt(`${kind.site.slug}/docs/reference/index.html`)
    for (const operation of operationsOf(kind)) {
      const section = page.split('<section class="operation"').find((part) => part.includes(`id="${operation.id}"`))
      assert.ok(section, operation.id)
      assert.ok(readable(section).includes(`${operation.method} ${operation.path}`))
      assert.ok(section.includes(`<strong>${operation.successStatus}</strong>`))
      for (const code of problemsOf(operation)) assert.ok(section.includes(`/problems/${code}`), code)
      for (const name of Object.keys(operation.query?.shape ?? {}))
        assert.ok(section.includes(`<code>${name}</code>`), name)
    }
    for (const name of Object.keys(kind.content.shape))
      assert.ok(pageAt(`${kind.site.slug}/docs/posting/index.html`).includes(`<code>${name}</code>`), name)
  }
})

test('every problem has a page, and every category of the policy a section', () => {
  for (const { site } of kinds) {
    const catalog = pageAt(`${site.slug}/problems/index.html`)
    for (const code of problemCodes) {
      assert.ok(catalog.includes(`href="/problems/${code}"`))
      assert.ok(pageAt(`${site.slug}/problems/${code}.html`).includes(`<code>${code}</code>`))
    }
    const shown = pageAt(`${site.slug}/policy/index.html`)
    for (const { id } of policy.categories) assert.ok(shown.includes(`id="${id}"`))
  }
})

test('every fact collected for a text appears in it', () => {
  for (const kind of kinds)
    for (const { text, facts } of [...docsPages, ...otherTextPages]) {
      const unsaid = Object.keys(facts(documentSite(kind, exampleDeployment))).filter(
        (name) => !readTemplate(text).includes(`{{${name}}}`),
      )
      assert.deepEqual(unsaid, [], text)
    }
})

test('each page of prose is also available as Markdown, and links to it', () => {
  for (const [path, page] of pages)
    if (path.endsWith('/index.md')) {
      const html = pageAt(path.replace(/\.md$/, '.html'))
      assert.ok(html.includes(`href="/${path.slice(path.indexOf('/') + 1)}"`), path)
      assert.match(page, /^# \S/)
    }
})

test('the changelog is a valid feed', () => {
  for (const { site } of kinds) {
    const { format, feed } = parseFeed(pageAt(`${site.slug}/changelog/feed.xml`))
    assert.ok(format === 'rss' && feed.items)
    const page = pageAt(`${site.slug}/changelog/index.html`)
    for (const { link } of feed.items) assert.ok(page.includes(`id="${link?.split('#')[1]}"`))
  }
})

const { secret, id, timestamp, signature, body } = webhookVector
const sentAt = Number(timestamp)

/** Each with the expected result of a verifier. */
const deliveries: [
  claim: string,
  delivery: typeof webhookVector | Record<keyof typeof webhookVector, string>,
  now: number,
  isRight: boolean,
][] = [
  ['as it was sent', webhookVector, sentAt, true],
  ['just in time', webhookVector, sentAt + 300, true],
  ['too late', webhookVector, sentAt + 301, false],
  ['too early', webhookVector, sentAt - 301, false],
  [
    'after a rotation, with the old one first',
    { ...webhookVector, signature: `v1,${'A'.repeat(43)}= ${signature}` },
    sentAt,
    true,
  ],
  ['with a version of tomorrow', { ...webhookVector, signature: `v2,abc ${signature}` }, sentAt, true],
  ['as a version it is not', { ...webhookVector, signature: signature.replace('v1', 'v1a') }, sentAt, false],
  ['with another body', { ...webhookVector, body: body.replace('published', 'rejected') }, sentAt, false],
  ['with another id', { ...webhookVector, id: `${id}x` }, sentAt, false],
  ['with another time', { ...webhookVector, timestamp: String(sentAt + 1) }, sentAt, false],
  ['with a time that is none', { ...webhookVector, timestamp: 'soon' }, sentAt, false],
  ['with another secret', { ...webhookVector, secret: secret.replace('AAEC', 'AAED') }, sentAt, false],
  ['without a signature', { ...webhookVector, signature: '' }, sentAt, false],
  ['with nonsense for a signature', { ...webhookVector, signature: 'v1,%% v1 ,' }, sentAt, false],
]

test('the TypeScript verifier in the documentation is correct', () => {
  for (const [claim, delivery, now, isRight] of deliveries)
    assert.equal(isGenuine(delivery.secret, delivery, now), isRight, claim)
})

test('the Python verifier in the documentation is correct', () => {
  const program = [
    'import json, sys',
    'sys.path.insert(0, sys.argv[1])',
    'from verify import is_genuine',
    'print(json.dumps([is_genuine(d["secret"], d["id"], d["timestamp"], d["signature"], d["body"].encode(), now)',
    '  for _, d, now, _ in json.loads(sys.stdin.read())]))',
  ].join('\n')
  const snippets = join(root, 'src/documents/pages/snippets')
  const answers = execFileSync('python3', ['-B', '-c', program, snippets], { input: JSON.stringify(deliveries) })
  assert.deepEqual(
    JSON.parse(String(answers)),
    deliveries.map(([, , , isRight]) => isRight),
  )
})

test('the page shows the verifiers exactly as in their files', () => {
  const page = pageAt('messages/docs/webhooks/index.md')
  for (const language of ['ts', 'python', 'go', 'ruby']) assert.ok(page.includes(`\`\`\`${language}\n`))
  assert.match(readable(pageAt('messages/docs/webhooks/index.html')), /timingSafeEqual[\s\S]*hmac\.Equal/)
})

/** The TypeScript programs on a page, as a reader copies them. */
const programsOn = (path: string) =>
  [...pageAt(`${path}/index.md`).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program]) => String(program))

const clientSource = join(root, 'client/src/index.ts')

test('the receiver in the documentation accepts genuine deliveries and refuses the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-receiver-'))
  try {
    const [program = ''] = programsOn('messages/docs/webhooks')
    writeFileSync(
      join(folder, 'receive.mts'),
      program.replace("'broadside-client'", `'${pathToFileURL(clientSource)}'`),
    )
    const { receive } = await import(pathToFileURL(join(folder, 'receive.mts')).href)
    const kept: { id: string }[] = []
    const deliver = async (sent: string) => {
      const headers = sign([Buffer.from(secret.slice(6), 'base64')], {
        eventId: id,
        at: new Date(),
        body: Buffer.from(body),
      })
      const request = new Request('https://agent.example/', { method: 'POST', headers, body: sent })
      const { status } = await receive(request, secret, async (event: { id: string }) => void kept.push(event))
      return status
    }
    assert.equal(await deliver(body.replace('published', 'rejected')), 400)
    assert.equal(await deliver(body), 204)
    assert.deepEqual(kept, [{ id, ...JSON.parse(body) }])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the webhooks page covers exactly the webhook operations', () => {
  for (const kind of kinds) {
    const operations = operationsOf(kind)
    const known = operations.map(({ method, path }) => `${method} ${path}`)
    const page = pageAt(`${kind.site.slug}/docs/webhooks/index.md`)
    const spoken = new Set(page.match(/\b(GET|POST|PATCH|DELETE) \/v1\/[\w/{}]+/g))
    assert.deepEqual(
      [...spoken].filter((operation) => !known.includes(operation)),
      [],
    )
    for (const { id, tag } of operations) if (tag === 'Webhooks') assert.ok(page.includes(`/docs/reference/#${id}`), id)
  }
})

test('the programs on the client and webhooks pages compile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-client-program-'))
  try {
    for (const { site } of kinds) {
      writeFileSync(join(folder, `${site.slug}.mts`), String(programsOn(`${site.slug}/docs/client`).at(-1)))
    }
    for (const [index, program] of programsOn('messages/docs/webhooks').entries())
      writeFileSync(join(folder, `webhook-${index}.mts`), program)
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'esnext', strict: true, noEmit: true, skipLibCheck: true },
      ...{ allowImportingTsExtensions: true, exactOptionalPropertyTypes: true },
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
      paths: { 'broadside-client': [clientSource] },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }))
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
