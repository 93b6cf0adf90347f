import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { kinds } from '../../src/kinds/index.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { nightly } from '../../tooling/test-length.ts'
import { takeThroughJourney } from '../support/posts/post-journey.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

suite('every kind completes the whole journey with its own examples', () => {
  for (const kind of kinds)
    for (const [index, example] of kind.examples.entries())
      test(`${kind.name}, example ${index + 1}`, index === 0 ? {} : nightly, () =>
        takeThroughJourney(service, kind, example),
      )
})

test('the names of kinds, sites and filters do not collide', () => {
  assert.equal(new Set(kinds.map(({ name }) => name)).size, kinds.length)
  assert.equal(new Set(kinds.map(({ site }) => site.slug)).size, kinds.length)
  const taken = 'author since until limit cursor q kind sort max_charge_micros'.split(' ')
  for (const kind of kinds)
    assert.deepEqual(
      Object.keys(kind.filters).filter((name) => taken.includes(name)),
      [],
    )
})
