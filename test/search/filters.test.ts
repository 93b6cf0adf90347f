import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { z } from 'zod'
import { line, paragraphs } from '../../src/contract/fields.ts'
import { inputSchema, type JsonSchema } from '../../src/contract/generators/json-schema.ts'
import { documentPages } from '../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { defineKind } from '../../src/kinds/define-kind.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { type SearchFilter, searchFiltersOf } from '../../src/kinds/search-filters.ts'
import { titledText } from '../../src/kinds/titled-text.ts'
import { operationsOf } from '../../src/operations.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { textOf } from '../support/pages/read-forms.ts'
import { seedListedPost } from '../support/posts/create-post.ts'
import { resultsIn } from '../support/search-fixture.ts'

const minutes = (description: string) =>
  z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.number())
    .meta({ description, examples: ['60'] })
const course = z.enum(['starter', 'main']).meta({ description: 'The course of the recipe.', examples: ['main'] })

/** Has the ways to compare that no other kind has in search. */
const recipe = defineKind({
  name: 'recipe',
  site: {
    slug: 'recipes',
    title: 'Broadside Recipes',
    tagline: 'A cookbook by software agents.',
    noun: 'recipe',
    plural: 'recipes',
    about: 'What to cook, and how long it takes.',
  },
  priceMicros: 50_000,
  linkSurchargeMicros: 0,
  fields: { title: line(3, 120), method: paragraphs(10, 5_000), minutes: z.int().min(1).max(10_000), course },
  fieldErrorsAt: () => [],
  texts: ({ title, method }) => [
    { field: 'title', text: title },
    { field: 'method', text: method },
  ],
  chargedLinks: () => [],
  facets: (body) => ({ minutes: body.minutes, course: body.course }),
  filters: {
    course: {
      query: course,
      facet: 'course',
      compare: 'equals',
      search: {
        label: 'Course',
        anyLabel: 'Any',
        options: () => course.options.map((value) => ({ value, label: value })),
      },
    },
    min_minutes: {
      query: minutes('Recipes that take at least this long.'),
      facet: 'minutes',
      compare: 'at_least',
      search: { label: 'Minutes from', maxLength: 5, normalise: (written) => written.replace(/ min$/, '') },
    },
    max_minutes: {
      query: minutes('Recipes that take at most this long.'),
      facet: 'minutes',
      compare: 'at_most',
      search: 'api-only',
    },
  },
  visibleUntil: () => null,
  shelves: () => [],
  presentation: titledText<{ title: string; method: string }>({
    title: (body) => body.title,
    text: (body) => body.method,
  }),
  examples: [
    { title: 'Rye bread in a day', method: 'Mix, let it rise, then bake it hot.', minutes: 600, course: 'main' },
    { title: 'Tomato soup', method: 'Cook the tomatoes with garlic, then blend them.', minutes: 60, course: 'starter' },
    { title: 'Cold cucumber soup', method: 'Blend cucumbers with yoghurt and mint.', minutes: 10, course: 'starter' },
  ],
})

const allKinds = [...kinds, recipe]
const filters = searchFiltersOf(allKinds)
/** A post of every kind is found by what people call it. */
const q = allKinds.map(({ site }) => site.noun).join(' or ')

type Seeded = { id: string; kind: Kind; facet: (name: string) => unknown }
let service: Service
const posts: Seeded[] = []
before(async () => {
  service = await startService({ kinds: allKinds, searchesPerAddress: 100 })
  const { id: accountId } = await service.createAccount()
  for (const kind of allKinds)
    for (const body of kind.examples) {
      const id = await seedListedPost(service, { kind, body, accountId, publishedAt: service.clock.now() })
      const facets = kind.facets(kind.body.parse(body))
      posts.push({ id, kind, facet: (name) => facets[name] })
    }
})
after(() => service[Symbol.asyncDispose]())
beforeEach(() => service.asOwner('delete from allowance_uses'))

const exampleOf = ({ query }: SearchFilter) => String((query.meta()?.['examples'] as unknown[] | undefined)?.[0])

/** A value that some post has; for a size, the example of the documentation. */
function valueFor(filter: SearchFilter): string {
  if (filter.compare === 'at_least' || filter.compare === 'at_most') return exampleOf(filter)
  const found = posts.filter(({ kind }) => filter.kinds.includes(kind)).map(({ facet }) => facet(filter.facet))
  const [value] = found.flat().filter((one) => one !== undefined)
  assert.ok(value !== undefined, `no example has ${filter.facet}`)
  return String(value)
}

const comparisons: Record<SearchFilter['compare'], (facet: unknown, value: unknown) => boolean> = {
  equals: (facet, value) => facet === value,
  contains: (facet, value) => (facet as unknown[]).includes(value),
  at_least: (facet, value) => Number(facet) >= Number(value),
  at_most: (facet, value) => Number(facet) <= Number(value),
}

function expectedFor(filter: SearchFilter, value: string): Set<string> {
  const parsed = filter.query.parse(value)
  const expected = posts.filter(({ kind, facet }) => {
    const own = facet(filter.facet)
    return filter.kinds.includes(kind) && own !== undefined && comparisons[filter.compare](own, parsed)
  })
  assert.ok(expected.length > 0 && expected.length < posts.length, 'the value must tell posts apart')
  return new Set(expected.map(({ id }) => id))
}

const queryWith = (name: string, value: string) => `${new URLSearchParams({ q, limit: '50', [name]: value })}`

for (const filter of filters)
  suite(`the search filter ${filter.name}`, () => {
    const { name, search } = filter

    test('filters over HTTP, in both orders', async () => {
      const value = valueFor(filter)
      for (const sort of ['relevance', 'newest']) {
        const response = await fetch(`${service.baseUrl}/v1/search?${queryWith(name, value)}&sort=${sort}`)
        const { data } = (await response.json()) as { data: { id: string }[] }
        assert.equal(response.status, 200)
        assert.deepEqual(new Set(data.map(({ id }) => id)), expectedFor(filter, value))
      }
      const refused = await fetch(`${service.baseUrl}/v1/search?${queryWith(name, '\u0000')}`)
      assert.equal(refused.status, 400)
    })

    test(search === 'api-only' ? 'has no field in the form' : 'has a field in the form, which filters', async () => {
      const value = valueFor(filter)
      const site = service.baseUrls[String(filter.kinds[0]?.name)]
      const open = async (query: string) =>
        (await fetch(`${site}/search?${query}`, { headers: { accept: 'text/html' } })).text()
      const form = await open('')
      assert.equal(form.includes(` name="${name}"`), search !== 'api-only')
      if (search === 'api-only') return
      assert.ok(form.includes(`<label for="${name}">${search.label}</label>`))
      const page = await open(`${queryWith(name, value)}&kind=`)
      const shown = resultsIn(page).map((href) => String(href).split('/p/')[1])
      assert.deepEqual(new Set(shown), expectedFor(filter, value))
      assert.ok(page.includes('<details open>'))
      assert.ok(
        page.includes('options' in search ? `<option value="${value}" selected>` : `name="${name}" value="${value}"`),
      )
      assert.match(await open(queryWith(name, '\u0001')), new RegExp(`id="${name}"[^>]* aria-invalid="true"`))
    })

    test('is documented, with a description', () => {
      const operation = operationsOf(recipe, allKinds).find(({ id }) => id === 'searchPosts')
      assert.ok(operation?.query)
      const properties = inputSchema(operation.query)['properties'] as Record<string, JsonSchema>
      const description = properties[name]?.['description']
      assert.ok(description)
      if (filter.kinds.every((kind) => kind === recipe)) return
      for (const { site } of kinds) {
        const page = pages.get(`${site.slug}/docs/reading/index.html`)
        const rows = page?.split('GET /v1/search')[1]?.match(/<tr>.*<\/tr>/g)
        const row = rows?.find((one) => one.includes(`<code>${name}</code>`))
        assert.ok(row && textOf(row).includes(String(description).replaceAll('`', '')), `${site.slug}: ${row}`)
      }
    })
  })

const pages = documentPages(exampleDeployment)

test('a written size is turned into what the parameter accepts', async () => {
  const response = await fetch(`${service.baseUrls['recipe']}/search?${queryWith('min_minutes', '60 min')}`)
  assert.equal(resultsIn(await response.text()).length, 2)
})
