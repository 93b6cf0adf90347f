import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { assertCheap } from '../../test/support/cost.ts'
import { refusals } from '../../test/support/http/refusals.ts'
import { nearbyBodies } from '../../test/support/posts/nearby-bodies.ts'
import { printType } from '../contract/generators/client/print-type.ts'
import { inputSchema, type JsonSchema, outputSchema } from '../contract/generators/json-schema.ts'
import { kinds } from './index.ts'

const launch = new Date('2026-11-15T12:00:00Z')
const maxBodyBytes = 256 * 1_024
const clone = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

/** Texts as long as a request. Each is the worst case for some part of the parser. */
const hostile: Record<string, string> = {
  letters: 'a',
  words: 'a ',
  marks: '\u0323',
  'marked letters': 'a\u0323\u0301',
  'lines of nothing': '\r\n',
  Thai: 'ภาษาไทย',
  Khmer: 'ភាសាខ្មែរ',
  ideographs: '漢字',
  'joined emoji': '👩‍❤️‍💋‍👨',
  'joiners in Arabic': 'م\u200C',
  'lone surrogates': '\uD800',
  digits: '1,',
  links: 'http://a.',
  hyphens: 'a-',
  slashes: 'Europe/',
}
const asLongAsARequest = (text: string) => text.repeat(250_000 / Buffer.byteLength(JSON.stringify(text).slice(1, -1)))

for (const kind of kinds)
  suite(kind.name, () => {
    const examples = kind.examples.map(clone)
    const members = Object.keys(kind.content.shape)

    test('its examples are accepted at launch', () => {
      assert.ok(examples.length >= 2 && examples.length <= 3)
      for (const example of examples) {
        assert.deepEqual(refusals(kind.body, example), [])
        assert.deepEqual(kind.fieldErrorsAt(kind.body.parse(example), launch), [])
        assert.deepEqual(refusals(kind.editBody, example), [])
      }
    })

    test('its first example is valid as stored content', () => {
      assert.deepEqual(kind.content.parse(kind.examples[0]), kind.body.parse(kind.examples[0]))
    })

    test('parsing a parsed body again does not change it, even after a database round trip', () => {
      let accepted = 0
      fc.assert(
        fc.property(fc.oneof(...examples.map((example) => nearbyBodies(example, members))), (body) => {
          const read = kind.body.safeParse(body)
          if (!read.success) return
          accepted++
          assert.deepEqual(kind.body.parse(read.data), read.data)
          assert.deepEqual(kind.body.parse(clone(read.data)), read.data)
          assert.deepEqual(kind.content.parse(clone(read.data)), read.data)
          assert.ok(kind.texts(read.data).every(({ text }) => text !== ''))
          assert.deepEqual(clone(kind.facets(read.data)), kind.facets(read.data))
        }),
        { numRuns: 300 },
      )
      assert.ok(accepted > 30, `only ${accepted} were accepted`)
    })

    test('no JSON causes an exception, as a body or as a field', () => {
      const wild = fc.oneof(
        fc.jsonValue(),
        fc.record(Object.fromEntries(members.map((name) => [name, fc.jsonValue()])), { requiredKeys: [] }),
        fc
          .tuple(fc.constantFrom(...members), fc.jsonValue())
          .map(([name, value]) => ({ ...examples[0], [name]: value })),
      )
      fc.assert(
        fc.property(wild, (value) => {
          for (const schema of [kind.body, kind.editBody])
            for (const refusal of refusals(schema, value)) assert.match(refusal, /^#\S* (must|is|has|repeats) \S/)
        }),
        { numRuns: 500 },
      )
    })

    test('a hostile body is rejected quickly', () => {
      const long = Object.values(hostile).map(asLongAsARequest)
      assert.ok(long.every((text) => JSON.stringify(text).length <= maxBodyBytes))
      const lists = [Array(130_000).fill(1), Array(80_000).fill(''), Array(60_000).fill([])]
      const nested = long.flatMap((text) => [[text], { country: text, state: text }, { amount: 1, currency: text }])
      const cities = long.map((name) => ({ country: 'PT', city: { geonames_id: 2267057, name } }))
      const strangers = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, 1]))
      for (const member of members)
        for (const value of [...long, ...lists, ...nested, ...cities, strangers]) {
          const refuse = () => assert.notDeepEqual(refusals(kind.body, { ...examples[0], [member]: value }), [])
          assertCheap(refuse, 10, `${member}: ${JSON.stringify(value).slice(0, 40)}…`)
        }
      assert.equal(refusals(kind.body, strangers).length, 100)
    })

    test('its JSON schemas accept its examples', () => {
      const ajv = new Ajv2020({ strict: true, formats: { 'date-time': true } })
      for (const schema of [inputSchema(kind.body), inputSchema(kind.editBody)]) {
        assert.match(printType(schema), /^\{\n/)
        const validate = ajv.compile(schema)
        for (const example of examples) assert.ok(validate(example), JSON.stringify(validate.errors))
        assert.ok(!validate({ ...examples[0], stranger: 1 }))
      }
      assert.match(printType(outputSchema(kind.content)), /^\{\n/)
      for (const example of examples)
        assert.ok(ajv.validate(outputSchema(kind.content), kind.body.parse(example)), ajv.errorsText())
      assert.ok(!ajv.validate(inputSchema(kind.editBody), {}))
    })

    test('every public field and every filter has a description', () => {
      const properties = inputSchema(kind.body)['properties'] as Record<string, JsonSchema>
      for (const [name, schema] of Object.entries(properties)) assert.ok(schema['description'], name)
      for (const [name, { query }] of Object.entries(kind.filters))
        assert.ok(inputSchema(query)['description'] && inputSchema(query)['type'] === 'string', name)
    })

    test('each filter matches a facet of some post', () => {
      const facets = new Set(examples.flatMap((example) => Object.keys(kind.facets(kind.body.parse(example)))))
      for (const [name, { facet }] of Object.entries(kind.filters)) assert.ok(facets.has(facet), name)
    })

    test('a merged edit is parsed again', () => {
      const stored = kind.body.parse(examples[0])
      const edit = kind.editBody.parse({ topics: null })
      const merged = Object.entries({ ...stored, ...edit }).filter(([, value]) => value !== null)
      assert.deepEqual(kind.body.parse(Object.fromEntries(merged)), { ...stored, topics: [] })
    })
  })
