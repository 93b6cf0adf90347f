import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Filter, type Kind, kinds } from './index.ts'
import { searchFiltersOf } from './search-filters.ts'

const kindWith = (name: string, filters: Record<string, Filter>) => ({ name, filters }) as unknown as Kind
const colour: Filter = {
  query: z.string(),
  facet: 'colour',
  compare: 'equals',
  search: { label: 'Colour', maxLength: 20 },
}

test('search has the filters that the kinds declare for it, each once and with its kinds', () => {
  const { search: _, ...size } = { ...colour, facet: 'size' }
  const [ball, cup] = [kindWith('ball', { size, colour }), kindWith('cup', { colour })]
  assert.deepEqual(
    searchFiltersOf([ball, cup]).map((filter) => [filter.name, filter.kinds]),
    [['colour', [ball, cup]]],
  )
})

test('the parameters of search keep their order', () => {
  const names = searchFiltersOf(kinds).map(({ name }) => name)
  assert.deepEqual(names.slice(0, 4), ['topic', 'country', 'state', 'city'])
})

test('two kinds cannot define one filter of search differently', () => {
  for (const change of [
    { facet: 'paint' },
    { compare: 'contains' as const },
    { query: z.string() },
    { search: 'api-only' as const },
  ])
    assert.throws(
      () => searchFiltersOf([kindWith('ball', { colour }), kindWith('cup', { colour: { ...colour, ...change } })]),
      /two kinds define the search filter colour differently/,
    )
})
