import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusals } from '../../../test/support/http/refusals.ts'
import { message } from './kind.ts'

const fine = { text: 'Good morning.', topics: ['news'], location: { country: 'PT', state: 'PT-11' } }
const withText = (text: unknown) => ({ ...fine, text })

test('a message has 1 to 500 characters: code points, after NFC', () => {
  for (const text of ['a', 'a'.repeat(500), '👋'.repeat(500), 'e\u0301'.repeat(500)])
    assert.deepEqual(refusals(message.body, withText(text)), [])
  assert.deepEqual(refusals(message.body, withText('')), ['#/text must have 1 to 500 characters, but has 0'])
  for (const text of ['a'.repeat(501), '👋'.repeat(501), 'e\u0301'.repeat(501)])
    assert.deepEqual(refusals(message.body, withText(text)), ['#/text must have 1 to 500 characters, but has 501'])
  assert.deepEqual(refusals(message.body, withText(' \n ')), ['#/text must not be blank'])
  assert.deepEqual(refusals(message.body, withText(undefined)), ['#/text is required'])
})

test('a message can have lines and tabs; it is stored with LF and in NFC', () => {
  assert.deepEqual(message.body.parse({ text: 'one\r\ntwo\rthree\tcafe\u0301' }), {
    text: 'one\ntwo\nthree\tcafé',
    topics: [],
  })
})

test('a message with invisible characters is rejected with their position', () => {
  assert.deepEqual(refusals(message.body, withText('ab\u202Ec')), [
    '#/text has a bidirectional control (U+202E) at position 2; remove it',
  ])
})

test('everything except the text is optional, and unknown fields are rejected', () => {
  assert.deepEqual(refusals(message.body, { text: 'Hello' }), [])
  assert.deepEqual(refusals(message.body, { ...fine, title: 'Hello' }), ['#/title is not recognized'])
})

test('each link in the text is charged, including repeated ones', () => {
  const charged = (text: string) => message.chargedLinks(message.body.parse(withText(text)))
  assert.deepEqual(charged('no link'), [])
  assert.deepEqual(charged('https://a.example, HTTP://b.example and https://a.example.'), [
    'https://a.example',
    'HTTP://b.example',
    'https://a.example',
  ])
  assert.deepEqual([message.priceMicros, message.linkSurchargeMicros], [20_000, 10_000])
})

test('people read the text and the topics', () => {
  assert.deepEqual(message.texts(message.body.parse(fine)), [
    { field: 'text', text: 'Good morning.' },
    { field: 'topics', text: 'news' },
  ])
  assert.deepEqual(message.texts(message.body.parse({ text: 'Hi' })), [{ field: 'text', text: 'Hi' }])
})

test('a message is found by topic and place, and never expires', () => {
  const body = message.body.parse({
    ...fine,
    location: { country: 'PT', city: { geonames_id: 2267057, name: 'lisboa' } },
  })
  assert.deepEqual(message.facets(body), { topics: ['news'], country: 'PT', city: 2267057 })
  assert.deepEqual(message.facets(message.body.parse({ text: 'Hi' })), {})
  assert.deepEqual(Object.keys(message.filters), ['topic', 'country', 'state', 'city'])
  assert.equal(message.visibleUntil(body, new Date('2026-11-15')), null)
})
