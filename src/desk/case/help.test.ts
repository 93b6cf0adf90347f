import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseKinds, verdictsOf } from '../../cases/case-kinds.ts'
import { always } from './help.ts'

test('no two verdicts of a case share a key, and none uses a global shortcut', () => {
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
