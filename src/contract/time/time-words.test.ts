import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duration, inWords } from './time-words.ts'

test('a duration is shown in the largest unit that needs no fraction', () => {
  const told: [number, string][] = [
    [1, '1 second'],
    [15, '15 seconds'],
    [120, '2 minutes'],
    [90, '90 seconds'],
    [3_600, '1 hour'],
    [86_400, '24 hours'],
    [30 * 86_400, '30 days'],
  ]
  for (const [seconds, words] of told) assert.equal(inWords(seconds), words)
})

test('a duration omits zero parts', () => {
  assert.equal(duration(5), '5 s')
  assert.equal(duration(12_345), '3 h 25 min 45 s')
  assert.equal(duration(7_200), '2 h')
})
