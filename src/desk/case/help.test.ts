import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseKinds, verdictsOf } from '../../cases/case-kinds.ts'
import { always } from './help.ts'

test('no two answers to a case share a key, and none has a key that always means something else', () => {
  const taken = always.flatMap(([keys]) => keys.split(' '))
  for (const letter of ['s', 'u', 'n', 't', 'b', 'g', '?']) assert.ok(taken.includes(letter), letter)
  for (const kind of caseKinds) {
    const keys = verdictsOf(kind).map(({ key }) => key)
    assert.equal(new Set(keys).size, keys.length, kind)
    assert.deepEqual(
      keys.filter((key) => taken.includes(key) || !/^[a-z]$/.test(key)),
      [],
      kind,
    )
  }
})
