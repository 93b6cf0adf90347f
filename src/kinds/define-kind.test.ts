import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { refusals } from '../../test/support/http/refusals.ts'
import { inputSchema, outputSchema } from '../contract/generators/json-schema.ts'
import { defineKind } from './define-kind.ts'
import { titledText } from './titled-text.ts'

const pair = defineKind({
  name: 'pair',
  site: {
    slug: 'pairs',
    title: 'Pairs',
    tagline: 'Two numbers.',
    noun: 'pair',
    plural: 'pairs',
    about: 'Two numbers.',
  },
  priceMicros: 1,
  linkSurchargeMicros: 0,
  fields: {
    low: z.int(),
    high: z.int().meta({ description: 'At least low.' }),
    note: z.string().max(5).meta({ description: 'A word.' }).optional(),
    tags: z.array(z.string()).default([]),
  },
  check: ({ low, high }) =>
    low !== undefined && high !== undefined && high < low ? [{ path: ['high'], message: 'must be at least low' }] : [],
  fieldErrorsAt: () => [],
  texts: () => [],
  chargedLinks: () => [],
  facets: (body) => ({ low: body.low }),
  filters: {},
  visibleUntil: () => null,
  shelves: () => [],
  presentation: titledText<{ low: number; high: number }>({
    title: (body) => `${body.low}–${body.high}`,
    text: () => '',
  }),
  examples: [{ low: 1, high: 2 }],
})

test('a body must be complete and exact, and omitted fields get their defaults', () => {
  assert.deepEqual(pair.body.parse({ low: 1, high: 2 }), { low: 1, high: 2, tags: [] })
  assert.deepEqual(refusals(pair.body, {}), ['#/low is required', '#/high is required'])
  assert.deepEqual(refusals(pair.body, { low: 1, high: 2, colour: 'red' }), ['#/colour is not recognized'])
  for (const wrong of [null, undefined, 'text', 3, true, []])
    assert.deepEqual(refusals(pair.body, wrong).length, 1, JSON.stringify(wrong))
})

test('an error that involves several fields is reported at the later one, with all other errors', () => {
  assert.deepEqual(refusals(pair.body, { low: 2, high: 1 }), ['#/high must be at least low'])
  assert.deepEqual(refusals(pair.body, { low: 2, high: 1, note: 'too long', colour: 1, tags: 'x' }), [
    '#/note must be at most 5 characters',
    '#/tags must be an array',
    '#/colour is not recognized',
    '#/high must be at least low',
  ])
})

test('fields are not compared if one of them is invalid', () => {
  assert.deepEqual(refusals(pair.body, { low: 2, high: 'one' }), ['#/high must be a number'])
  assert.deepEqual(refusals(pair.body, { high: 1 }), ['#/low is required'])
})

test('an edit contains some fields, and defaults do not fill in the rest', () => {
  assert.deepEqual(pair.editBody.parse({ low: 7 }), { low: 7 })
  assert.deepEqual(pair.editBody.parse({ high: 1, low: 2 }), { high: 1, low: 2 })
  assert.deepEqual(refusals(pair.editBody, { low: 'x', colour: 1 }), [
    '#/low must be a number',
    '#/colour is not recognized',
  ])
})

test('an edit removes optional fields with null, and only those', () => {
  assert.deepEqual(pair.editBody.parse({ note: null, tags: null }), { note: null, tags: null })
  assert.deepEqual(refusals(pair.editBody, { low: null }), ['#/low must be a number'])
})

test('an empty edit is rejected with a message', () => {
  assert.deepEqual(refusals(pair.editBody, {}), ['# must contain at least one field to change'])
  assert.deepEqual(refusals(pair.editBody, { colour: 1 }), ['#/colour is not recognized'])
})

test('schemas describe the body, the edit and the content', () => {
  const sent = inputSchema(pair.body)
  assert.deepEqual(sent['required'], ['low', 'high'])
  assert.equal(sent['additionalProperties'], false)
  const edited = inputSchema(pair.editBody)
  assert.equal(edited['required'], undefined)
  assert.equal(edited['minProperties'], 1)
  const note = (edited['properties'] as Record<string, Record<string, unknown>>)['note']
  assert.equal(note?.['description'], 'A word. Null removes it.')
  const shown = outputSchema(pair.content)
  assert.deepEqual(shown['required'], ['low', 'high', 'tags'])
  assert.doesNotMatch(JSON.stringify(shown), /"default"/)
})
