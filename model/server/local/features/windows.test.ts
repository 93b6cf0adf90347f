import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostWindows } from '../../../../src/text-analysis/count-windows.ts'
import { embeddedCharacters } from './prepare-text.ts'
import { splitWindows } from './windows.ts'

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

test('one short sentence is one part, so that it costs one embedding', () => {
  assert.deepEqual(splitWindows('We meet on Friday at the mill.'), {
    parts: ['We meet on Friday at the mill.'],
    isComplete: true,
  })
})

test('each sentence is a separate part, so that harmless ones around it do not hide it', () => {
  const harm = 'I will find out where you live and hurt you.'
  const before = 'The garden is very green again this year, they say.'
  const after = 'The paths near the mill are now dry again.'
  assert.deepEqual(splitWindows(`${before} ${harm} ${after}`).parts.slice(1), [before, harm, after])
})

test('short sentences stay together, because alone they say little', () => {
  const { parts } = splitWindows(
    'The oak table is for sale. Cheap! Take it! Please bring a strong friend to help you carry it.',
  )
  assert.ok(parts.includes('The oak table is for sale. Cheap! Take it!'))
})

test('text without full stops is cut into overlapping runs that contain every word', () => {
  const { parts, isComplete } = splitWindows(words(200))
  const seen = new Set(parts.flatMap((part) => part.split(' ')))
  assert.ok(isComplete)
  for (let index = 0; index < 200; index++) assert.ok(seen.has(`word${index}`), `word${index}`)
})

test('a very long text has a maximum number of parts and is marked as incomplete', () => {
  const { parts, isComplete } = splitWindows(words(20_000))
  assert.equal(parts.length, mostWindows)
  assert.equal(isComplete, false)
  assert.ok(parts.every((part) => part.length <= embeddedCharacters))
})

test('a sentence that occurs often is one part', () => {
  assert.equal(splitWindows('Buy our fine tea now and tell your friends. '.repeat(6).trim()).parts.length, 2)
})

const link = `https://example.org/${'a'.repeat(embeddedCharacters)}`
for (const [name, text] of [
  ['one sentence', `See ${link} and what stands behind it.`],
  ['sentences', `The oak table is still for sale, they say. See ${link} and what stands behind it all.`],
  ['a run', `${words(80)} ${link} ${words(80)}`],
] as const)
  test(`words after a cut are not read, so the text is incomplete:  ${name}`, () => {
    assert.equal(splitWindows(text).isComplete, false)
  })

test('a text in sentences is complete without runs if each sentence fits', () => {
  const sentence = `${'wonderfully-'.repeat(60)} good is this table, they say.`
  assert.equal(splitWindows(`The first. ${sentence} But is it? ${sentence}`).isComplete, true)
})
