import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { line, paragraphs } from '../../src/contract/fields.ts'
import type { JsonSchema } from '../../src/contract/generators/json-schema.ts'
import { defineKind } from '../../src/kinds/define-kind.ts'
import { kinds } from '../../src/kinds/index.ts'
import { titledText } from '../../src/kinds/titled-text.ts'
import { topicListings, topics } from '../../src/kinds/topics.ts'
import { commonTools, toolsOf } from '../../src/mcp/tools/describe-tool.ts'
import { mergeSchemas } from '../../src/mcp/tools/merge-schemas.ts'
import { operationsOf } from '../../src/operations.ts'

/** A fifth kind, with fields that others have too and one of its own. */
const recipe = defineKind({
  name: 'recipe',
  site: { slug: 'recipes', title: 'Recipes', tagline: '', noun: 'recipe', plural: 'recipes', about: 'What to cook.' },
  priceMicros: 50_000,
  linkSurchargeMicros: 5_000,
  fields: { title: line(3, 80), body: paragraphs(10, 9_000), minutes: z.int().min(1), topics },
  fieldErrorsAt: () => [],
  texts: ({ body }) => [{ field: 'body', text: body }],
  chargedLinks: () => [],
  facets: () => ({}),
  filters: {},
  visibleUntil: () => null,
  shelves: topicListings,
  presentation: titledText<{ title: string; body: string }>({ title: ({ title }) => title, text: ({ body }) => body }),
  acceptsRelay: true,
  examples: [{ title: 'Rye bread', body: 'Mix, let it rise, then bake it hot.', minutes: 600 }],
})

const commonOf = (list: typeof kinds) =>
  commonTools(list.map((kind) => ({ kind, operations: operationsOf(kind, list) })))
const common = commonOf(kinds)
const lists = [...kinds.map((kind) => toolsOf(kind, operationsOf(kind))), common].map((tools) =>
  tools.map(({ tool }) => tool),
)

/** A common estimate: four bytes of JSON for each token. */
const tokensOf = (tools: unknown) => Buffer.byteLength(JSON.stringify({ tools })) / 4

test('the tool list of a site has fewer than 5,000 tokens, and that of all sites together fewer than 6,000', (context) => {
  const sizes = lists.map(tokensOf)
  context.diagnostic(sizes.map(Math.round).join(', '))
  for (const size of sizes.slice(0, -1)) assert.ok(size < 5_000, String(size))
  assert.ok(Number(sizes.at(-1)) < 6_000, String(sizes.at(-1)))
})

test('the server for all sites has each tool of the sites once, except to create an account', () => {
  const generic = (name: string) =>
    name.replace(new RegExp(`_(?:${kinds.map((kind) => kind.name).join('|')})$`), '_post')
  const ofSites = new Set(lists.slice(0, -1).flatMap((tools) => tools.map(({ name }) => generic(name))))
  const names = common.map(({ tool }) => tool.name)
  assert.equal(new Set(names).size, names.length)
  assert.ok(ofSites.delete('create_account'))
  assert.deepEqual(names.toSorted(), [...ofSites].sort())
})

const propertiesOf = (schema: JsonSchema | undefined) => (schema?.['properties'] ?? {}) as Record<string, JsonSchema>
const toolNamed = (name: string, tools = common) => {
  const tool = tools.find((one) => one.tool.name === name)?.tool
  assert(tool, name)
  return tool
}

test('only tools for which the kind matters take it, and tools for one post take its id alone', () => {
  const taking = common.filter(({ tool }) => (tool.inputSchema['required'] as string[] | undefined)?.includes('kind'))
  assert.deepEqual(
    taking.map(({ tool }) => tool.name),
    ['check_post', 'publish_post', 'browse_posts'],
  )
  for (const { tool } of taking)
    assert.deepEqual(propertiesOf(tool.inputSchema)['kind'], { type: 'string', enum: kinds.map(({ name }) => name) })
  for (const name of ['get_post', 'edit_post', 'delete_post', 'appeal_post', 'contact_seller'])
    assert.ok(!('kind' in propertiesOf(toolNamed(name).inputSchema)), name)
})

test('a field says which kinds take it, unless all of them do', () => {
  const fields = propertiesOf(toolNamed('publish_post').inputSchema)
  for (const name of new Set(kinds.flatMap((kind) => Object.keys(kind.content.shape)))) {
    const taking = kinds.filter((kind) => name in kind.content.shape)
    const said = /^(?:Required|Only) for ([a-z, ]+)\./.exec(String(fields[name]?.['description']))?.[1]
    assert.equal(said, taking.length === kinds.length ? undefined : taking.map((kind) => kind.name).join(', '), name)
  }
})

test('a fifth kind has its place in the tools without a change', () => {
  const five = commonOf([...kinds, recipe])
  const { inputSchema, description } = toolNamed('publish_post', five)
  const { kind, minutes, title, text } = propertiesOf(inputSchema)
  assert.deepEqual(kind?.['enum'], [...kinds.map(({ name }) => name), 'recipe'])
  assert.match(String(minutes?.['description']), /^Required for recipe\./)
  const titled = [...kinds, recipe].filter(({ content }) => 'title' in content.shape).map(({ name }) => name)
  assert.ok(String(title?.['description']).startsWith(`Required for ${titled.join(', ')}.`))
  assert.equal(title?.['maxLength'], 120, 'the widest limit')
  assert.match(String(text?.['description']), /^Required for message\./)
  assert.match(description, /\$0\.05 plus \$0\.005 per http\(s\) link for recipe/)
  const seller = five.find(({ tool }) => tool.name === 'contact_seller')
  const relaying = [...kinds, recipe].filter(({ acceptsRelay }) => acceptsRelay).map(({ name }) => name)
  assert.deepEqual([...(seller?.choice?.operations.keys() ?? [])], relaying)
})

test('a description fits the limits of models, and names no path of the HTTP API', () => {
  for (const tool of lists.flat()) {
    assert.ok(tool.description.length <= 1_024, `${tool.name}: ${tool.description.length}`)
    assert.doesNotMatch(JSON.stringify([tool.description, tool.inputSchema]), /\/v1\/|[{]noun|[{]kind|\ba [aeio]/)
  }
})

test('schemas work in every client: an object at the root, one type in each place, and no reference', () => {
  for (const { name, inputSchema } of lists.flat()) {
    assert.equal(inputSchema['type'], 'object', name)
    assert.equal(typeof inputSchema['properties'], 'object', name)
    assert.doesNotMatch(JSON.stringify(inputSchema), /"type":\[|"\$ref"|"\$schema"|"component"/, name)
  }
})

test('what kinds define differently is merged to what any of them accepts', () => {
  const merged = mergeSchemas([
    { kind: 'a', schema: { type: 'string', minLength: 2, maxLength: 5, pattern: 'x', description: 'One.' } },
    { kind: 'b', schema: { type: 'string', minLength: 1, maxLength: 9, description: 'Two.' } },
    { kind: 'c', schema: { type: 'string', minLength: 3, maxLength: 9, description: 'One.' } },
  ])
  assert.deepEqual(merged, { type: 'string', minLength: 1, maxLength: 9, description: 'a, c: One. b: Two.' })
  const [one, other] = [
    { type: 'string', enum: ['x', 'y'] },
    { type: 'string', enum: ['y', 'z'] },
  ]
  const nullable = (schema: JsonSchema) => ({ anyOf: [schema, { type: 'null' }] })
  assert.deepEqual(
    mergeSchemas([
      { kind: 'a', schema: nullable(one) },
      { kind: 'b', schema: nullable(other) },
    ]),
    nullable({ type: 'string', enum: ['x', 'y', 'z'] }),
  )
})
