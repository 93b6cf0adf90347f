import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { nameOf, readEntries, readQueries } from './quality/corpus.ts'
import { readFloor } from './quality/floor.ts'
import { type Measured, measureSearch } from './quality/measure.ts'

// The floor keeps quality from falling unnoticed. Improvements raise it: `npm test -- test/search/quality.test.ts`
// shows the new mean, `node test/search/quality/write-floor.ts` writes it, and reviewers read the diff of floor.json.
// Queries are judged by reading the corpus, never by the engine's results.
const floor = readFloor()

/** How far one query may fall while others rise: about one wanted post moving from first to second place. */
const mostFallOfOne = 0.15

let measured: Measured
before(async () => {
  measured = await measureSearch()
})

test('every query is judged on posts of the corpus, and has a unique name and a floor', () => {
  const posts = new Set(readEntries().map(({ id }) => id))
  const queries = readQueries()
  const unknown = queries.flatMap(({ judged }) => Object.keys(judged)).filter((id) => !posts.has(id))
  assert.deepEqual(unknown, [])
  const names = queries.map(nameOf)
  assert.equal(new Set(names).size, names.length)
  assert.deepEqual(new Set(Object.keys(floor.queries)), new Set(names))
})

test('the mean nDCG@10 of the judged queries is not below the floor', (context) => {
  context.diagnostic(`nDCG@10 ${measured.mean.toFixed(4)} over ${measured.scores.length} queries, floor ${floor.mean}`)
  const worst = measured.scores.toSorted((one, other) => one.value - other.value).slice(0, 10)
  for (const { name, value, found, query } of worst)
    context.diagnostic(`${value.toFixed(3)} ${name} (${query.why}): ${found.join(' ') || 'nothing'}`)
  assert.ok(measured.mean >= floor.mean, `${measured.mean} is below ${floor.mean}`)
})

test('no query fell far below its floor', () => {
  const fallen = measured.scores
    .filter(({ name, value }) => value < (floor.queries[name] ?? 0) - mostFallOfOne)
    .map(({ name, value, found }) => `${name}: ${value.toFixed(3)}, was ${floor.queries[name]}: ${found.join(' ')}`)
  assert.deepEqual(fallen, [])
})
