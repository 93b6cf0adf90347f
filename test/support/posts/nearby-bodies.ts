import fc from 'fast-check'

const text = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), fc.lorem({ maxCount: 10 }))
const replacements: Record<string, fc.Arbitrary<unknown>> = {
  text,
  title: text,
  body: fc.oneof(text, fc.lorem({ maxCount: 400 })),
  topics: fc.subarray(['aa', 'open-data', 'x1', '42', 'a-b-c', 'Bad'], { maxLength: 6 }),
  location: fc.record(
    {
      country: fc.constantFrom('PT', 'DE', 'XX'),
      state: fc.constantFrom('PT-11', 'DE-BE'),
      city: fc.constantFrom({ geonames_id: 2267057, name: 'lisboa' }, { geonames_id: 2950159, name: 'Berlín' }),
    },
    { requiredKeys: ['country'] },
  ),
  price: fc.record({ amount: fc.oneof(fc.nat(), fc.double({ min: 0 })), currency: fc.constantFrom('EUR', 'JPY') }),
  condition: fc.constantFrom('new', 'good', 'broken'),
}

/** Bodies close to accepted ones: an example with one or two changed fields. */
export function nearbyBodies(example: object, members: readonly string[]): fc.Arbitrary<object> {
  const replaced = fc.subarray(
    members.filter((name) => name in replacements),
    { minLength: 1, maxLength: 2 },
  )
  return replaced
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, replacements[name] ?? text]))))
    .map((change) => ({ ...example, ...change }))
}
