import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { line, paragraphs } from '../../src/contract/fields.ts'
import { defineKind } from '../../src/kinds/define-kind.ts'
import { kinds } from '../../src/kinds/index.ts'
import { titledText } from '../../src/kinds/titled-text.ts'
import { topicListings, topics } from '../../src/kinds/topics.ts'
import { startService } from '../../tooling/environment/service.ts'
import { ports, sitePort } from '../../tooling/services/development.ts'
import { callTool } from '../support/mcp/call-tool.ts'
import { takeThroughJourney } from '../support/posts/post-journey.ts'

type RecipeBody = { title: string; method: string; minutes: number; topics: string[] }

/** A complete new kind: this definition, in its own folder, and a line in the list. */
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
  linkSurchargeMicros: 5_000,
  fields: {
    title: line(3, 120),
    method: paragraphs(10, 5_000),
    minutes: z.int().min(1).max(10_000),
    topics,
  },
  fieldErrorsAt: () => [],
  texts: ({ title, method }) => [
    { field: 'title', text: title },
    { field: 'method', text: method },
  ],
  chargedLinks: () => [],
  facets: (body) => ({ topics: body.topics, minutes: body.minutes }),
  filters: {
    max_minutes: {
      query: z
        .string()
        .regex(/^\d{1,5}$/)
        .transform(Number)
        .pipe(z.number()),
      facet: 'minutes',
      compare: 'at_most',
    },
  },
  visibleUntil: (_body, publishedAt) => new Date(publishedAt.getTime() + 365 * 86_400_000),
  shelves: topicListings,
  presentation: titledText<RecipeBody>({
    title: (body) => body.title,
    text: (body) => body.method,
    facts: (body) => [{ label: 'Takes', value: `${body.minutes} minutes` }],
    topics: (body) => body.topics,
  }),
  examples: [
    {
      title: 'Rye bread in a day',
      method: 'Mix the starter with flour and water, let it rise, then bake it hot.',
      minutes: 600,
    },
  ],
})

test('Invariant 10: adding a fifth kind takes one definition and one line, without a migration', async () => {
  await using service = await startService({ judges: true, kinds: [...kinds, recipe] })
  for (const example of recipe.examples) await takeThroughJourney(service, recipe, example)
  const quick = await fetch(`${service.baseUrls['recipe']}/v1/posts?max_minutes=60`)
  assert.deepEqual(((await quick.json()) as { data: unknown[] }).data, [])
  const { api_key: apiKey } = await service.createCustomer()
  const given = { kind: recipe.name, ...recipe.examples[0], title: 'Rye bread in two days' }
  const { result } = await callTool(service.accountPageUrl, 'publish_post', given, { apiKey })
  const id = result?.structuredContent?.['id']
  const read = await callTool(service.accountPageUrl, 'get_post', { id }, { apiKey })
  assert.deepEqual([read.result?.structuredContent?.['id'], read.problem], [id, undefined])
})

test('in development a further site has a port that nothing else has, and the first four keep theirs', () => {
  const first = Array.from({ length: 60 }, (_, index) => sitePort(index))
  assert.deepEqual(first.slice(0, 5), [4001, 4002, 4003, 4004, 4008])
  const all = [...first, ...Object.values(ports)]
  assert.equal(new Set(all).size, all.length)
})
