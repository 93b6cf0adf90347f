import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Parser } from '@asyncapi/parser'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse as parseYaml } from 'yaml'
import { events } from '../../src/contract/events.ts'
import { type DocumentedSite, documentedSites } from '../../src/documents/deployment.ts'
import { documentsOf, exampleDeployment, siteDocuments } from '../../src/documents/site-documents.ts'
import { kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { examplePostId } from '../../src/posts/status/status-record.ts'

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
addFormats.default(ajv)

const sites = documentedSites(exampleDeployment)
/** Each site with its documents. */
const published = sites.map((site) => ({ site, documents: new Map(documentsOf(site)) }))

/** Fails unless every site's document fits, and the schema can actually refuse something. */
function assertFits(schemaName: string, path: string) {
  const schema = JSON.parse(readFileSync(new URL(`schemas/${schemaName}.json`, import.meta.url), 'utf8'))
  const fits: ValidateFunction = ajv.compile(schema)
  for (const { site, documents } of published) {
    const document = JSON.parse(String(documents.get(path))) as object
    assert.ok(fits(document), `${site.slug}/${path}: ${ajv.errorsText(fits.errors)}`)
    assert.equal(fits({ ...document, surprise: true }), false)
    for (const member of schema.required) assert.equal(fits({ ...document, [member]: undefined }), false, member)
  }
}

test('the documents are reproducible', () => {
  assert.deepEqual(siteDocuments(exampleDeployment), siteDocuments(exampleDeployment))
})

test('every text document ends with a line break, and none is empty', () => {
  for (const [path, content] of siteDocuments(exampleDeployment)) assert.match(content, /\S\n$/, path)
})

test('the AsyncAPI parser reports nothing about a site’s events', async () => {
  const parser = new Parser()
  // test/sites/valid-pages.test.ts reads what every site serves.
  for (const { site, documents } of published.slice(0, 1)) {
    const { document, diagnostics } = await parser.parse(String(documents.get('asyncapi.yml')))
    assert.deepEqual(diagnostics, [], site.slug)
    const names = document?.allMessages().map((message) => message.name())
    assert.deepEqual(names?.sort(), [...Object.keys(events), 'webhook.test'].sort())
  }
})

test('every event in the contract has an example that fits its schema', () => {
  for (const { documents } of published) {
    const contract = parseYaml(String(documents.get('asyncapi.yml')))
    const checker = new Ajv2020({ strict: false, schemas: [{ ...contract, $id: 'asyncapi' }] })
    addFormats.default(checker)
    for (const [name, { examples }] of Object.entries<{ examples: Record<string, unknown>[] }>(
      contract.components.messages,
    )) {
      assert.equal(examples.length, 1)
      const fits = (part: string, example: unknown) =>
        assert.ok(checker.validate({ $ref: `asyncapi#${part}` }, example), `${name}: ${checker.errorsText()}`)
      fits(`/components/messages/${name}/payload`, examples[0]?.['payload'])
      fits('/components/schemas/DeliveryHeaders', examples[0]?.['headers'])
    }
  }
})

test('the MCP server card fits its schema and is the same at both its addresses', () => {
  assertFits('server-card', 'mcp/server-card')
  for (const { documents } of published)
    assert.equal(documents.get('mcp/server-card'), documents.get('.well-known/mcp/server-card.json'))
})

test('the AI catalog fits its schema, and has no duplicate identifier', () => {
  assertFits('ai-catalog', '.well-known/ai-catalog.json')
  for (const { documents } of published) {
    const { entries } = JSON.parse(String(documents.get('.well-known/ai-catalog.json')))
    const identifiers = entries.map(({ identifier }: { identifier: string }) => identifier)
    assert.equal(new Set(identifiers).size, identifiers.length)
  }
})

test('server.json fits the schema of the MCP registry, and is the same on every site', () => {
  assertFits('server-json', 'server.json')
  assert.equal(new Set(published.map(({ documents }) => documents.get('server.json'))).size, 1)
})

test('the index of skills fits its schema, and describes skill.md as it describes itself', () => {
  assertFits('agent-skills', '.well-known/agent-skills/index.json')
  for (const { site, documents } of published) {
    const { skills } = JSON.parse(String(documents.get('.well-known/agent-skills/index.json')))
    const text = String(documents.get('skill.md'))
    const { name, description } = parseYaml(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '')
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
    assert.deepEqual(skills, [{ name, description, type: 'skill-md', url: `${site.baseUrl}/skill.md`, digest }])
  }
})

test('apis.json fits its schema', () => assertFits('apis-json', 'apis.json'))

test('the API catalog is a linkset that links to the three sister sites', () => {
  assertFits('linkset', '.well-known/api-catalog')
  for (const { site, documents } of published) {
    const { linkset } = JSON.parse(String(documents.get('.well-known/api-catalog')))
    assert.deepEqual(
      linkset[0]['api-catalog'].map(({ href }: { href: string }) => new URL(href).hostname),
      sites.filter(({ slug }) => slug !== site.slug).map(({ hostname }) => hostname),
    )
  }
})

test('llms.txt has one heading, a summary, and then only lists of absolute links', () => {
  for (const { site, documents } of published) {
    const [head = '', ...sections] = String(documents.get('llms.txt')).split(/^## /m)
    const [title, summary, ...paragraphs] = head.trimEnd().split('\n\n')
    assert.equal(title, `# ${site.title}`)
    assert.match(String(summary), /^> [^\n]*untrusted[^\n]*$/)
    for (const paragraph of paragraphs) assert.match(paragraph, /^[^#>\-\s]/)
    assert.ok(sections.length > 0)
    for (const section of sections) {
      const [heading, blank, ...links] = section.trimEnd().split('\n')
      assert.match(String(heading), /^\w[\w ,]*$/)
      assert.equal(blank, '')
      assert.ok(links.length > 0)
      for (const link of links) assert.match(link, /^- \[[^\]]+\]\(https?:\/\/[^\s)]+\): \S.*$/)
    }
    assert.match(String(sections.at(-1)), /^Optional\n/)
  }
})

test('skill.md has the front matter of agent skills', () => {
  for (const { site, documents } of published) {
    const text = String(documents.get('skill.md'))
    const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(text) ?? []
    const { name, description } = parseYaml(front)
    assert.match(name, /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/)
    assert.match(description, /^(?=.{1,1024}$)[^<>]*Use when[^<>]*$/)
    assert.match(body, /^# /)
    assert.ok(text.split('\n').length < 500, site.slug)
    for (const step of [
      '/v1/accounts',
      'account_url',
      'dry_run=true',
      'idempotency-key: ',
      'Retry-After',
      '/v1/events',
    ])
      assert.ok(body.includes(step), `${site.slug}: ${step}`)
  }
})

test('skill.md sends a body that the site accepts', () => {
  for (const { site, documents } of published) {
    const [, json = ''] = /<<'JSON'\n([\s\S]*?)\nJSON/.exec(String(documents.get('skill.md'))) ?? []
    assert.deepEqual(site.kind.body.safeParse(JSON.parse(json)).success, true)
  }
})

test('texts mention only operations that the site has', () => {
  for (const kind of kinds) {
    const site = sites.find((each) => each.kind === kind)
    const known = new Set(operationsOf(kind).map(({ method, path }) => `${method} ${path}`))
    const documents = new Map(documentsOf(site as DocumentedSite))
    for (const name of ['llms.txt', 'skill.md', 'auth.md', 'asyncapi.yml']) {
      const spoken = [
        ...String(documents.get(name)).matchAll(/\b(GET|POST|PATCH|DELETE) (?:https?:\/\/[^/\s]+)?(\/v1\/[\w/{}-]+)/g),
      ]
      assert.deepEqual(
        spoken
          // An example event names the call for its own post.
          .map(([, method, path]) => `${method} ${path?.replace(examplePostId, '{id}')}`)
          .filter((operation) => !known.has(operation)),
        [],
        `${kind.site.slug}/${name}`,
      )
    }
  }
})

test('robots.txt allows everything but paid calls, and says how the text may be used', () => {
  for (const { site, documents } of published) {
    const lines = String(documents.get('robots.txt')).split('\n')
    assert.equal(lines[0], 'User-agent: *')
    assert.equal(lines[1], 'Content-Signal: search=yes, ai-input=yes, ai-train=yes')
    for (const line of lines.filter((text) => text !== ''))
      assert.match(
        line,
        /^(User-agent: \*|Content-Signal: [\w=, -]+|(Dis)?[Aa]llow: \/\S*|License: https?:\/\/\S+|Sitemap: https?:\/\/\S+)$/,
      )
    assert.equal(ruleFor(lines, '/p/post_01jcmzq8e5f7r9t2v4x6y8z0ab'), 'Allow')
    assert.equal(ruleFor(lines, '/v1/posts'), 'Allow')
    assert.equal(ruleFor(lines, '/v1/search?q=tram'), 'Disallow')
    assert.equal(ruleFor(lines, '/mcp'), 'Disallow')
    assert.equal(ruleFor(lines, '/mcp/server-card'), 'Allow')
    assert.equal(lines.at(-2), `Sitemap: ${site.baseUrl}/sitemap.xml`)
  }
})

/** RFC 9309: the longest matching rule decides. */
function ruleFor(lines: string[], path: string): string | undefined {
  const rules = lines.flatMap((line) => {
    const [, kind, prefix = ''] = /^(Allow|Disallow): (\S+)$/.exec(line) ?? []
    return kind && path.startsWith(prefix) ? [{ kind, prefix }] : []
  })
  return rules.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.kind
}

test('security.txt names a contact and itself, and is valid for 30 to 365 days', () => {
  for (const { site, documents } of published) {
    const text = String(documents.get('.well-known/security.txt'))
    const fields = text
      .trimEnd()
      .split('\n')
      .map((line) => /^([A-Z][A-Za-z-]+): (\S.*)$/.exec(line)?.slice(1) ?? assert.fail(line))
    const valuesOf = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => String(value))
    assert.match(String(valuesOf('Contact')[0]), /^(mailto:\S+@\S+|https:\/\/\S+)$/)
    assert.deepEqual(valuesOf('Canonical'), [`${site.baseUrl}/.well-known/security.txt`])
    assert.equal(valuesOf('Preferred-Languages').length, 1)
    const [expires = '', ...others] = valuesOf('Expires')
    assert.deepEqual(others, [])
    assert.match(expires, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const days = (Date.parse(expires) - exampleDeployment.writtenAt.getTime()) / 86_400_000
    assert.ok(days >= 30 && days <= 365, expires)
  }
})
