import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lexiconNames, measureWords } from './lexicon.ts'

const measured = (text: string, name: string) => measureWords(text)[lexiconNames.indexOf(name)]

test('every name has one number from 0 to 1', () => {
  const values = measureWords('FREE prize! Click www.claim.example now, I will kill you!!!')
  assert.equal(values.length, lexiconNames.length)
  assert.ok(values.every((value) => value >= 0 && value <= 1))
})

test('whole words count, parts of words do not', () => {
  assert.equal(measured('a bomb in the hall', 'violence:any'), 1)
  assert.equal(measured('a bombastic essay', 'violence:any'), 0)
})

test('a pair of lists has its own number', () => {
  assert.equal(measured('win cash, click here', 'money+callToAct'), 1)
  assert.equal(measured('win cash', 'money+callToAct'), 0)
})

test('warnings are counted separately from harmful words', () => {
  assert.equal(measured('helpline for suicide prevention', 'selfHarm+warning'), 1)
})

test('the form of a text is measured', () => {
  assert.equal(measured('READ THIS NOW', 'shape:capitals'), 1)
  assert.equal(measured('Is it open?', 'shape:question'), 1)
  assert.equal(measured('see https://example.com', 'shape:link'), 1)
})
