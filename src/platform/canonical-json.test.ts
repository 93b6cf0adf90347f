import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'

test('the examples of RFC 8785 have the canonical form that it prints', () => {
  assert.equal(
    canonicalJson({
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6']
  const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33']
  const written = canonicalJson(Object.fromEntries(names.map((name) => [name, name])))
  assert.equal(written, `{${sorted.map((name) => `${JSON.stringify(name)}:${JSON.stringify(name)}`).join(',')}}`)
})

/** Appendix B of RFC 8785: the bits of a number, and its text. */
const numbers: [string, string][] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

test('numbers are written as in appendix B of RFC 8785', () => {
  for (const [bits, text] of numbers) assert.equal(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE()), text, bits)
})

test('a value that JSON cannot hold is refused, at any depth', () => {
  const values = [undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol('a'), new Date(0), new Map()]
  for (const value of [...values, '\ud800', 'a\udc00b', new Uint8Array(2)])
    for (const holder of [value, [value], { a: { b: [value] } }]) assert.throws(() => canonicalJson(holder), TypeError)
  assert.throws(() => canonicalJson({ '\udead': 1 }), TypeError)
  assert.throws(() => canonicalJson(new Array(1)), TypeError)
})

test('the canonical form is the same for every order of fields, and means the same as the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      assert.equal(canonicalJson(withFieldsReversed(value)), text)
    }),
  )
})

function withFieldsReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFieldsReversed)
  if (typeof value !== 'object' || value === null) return value
  // A null prototype, so that the name `__proto__` is a field like any other.
  const reversed = Object.create(null)
  for (const [name, inner] of Object.entries(value).reverse()) reversed[name] = withFieldsReversed(inner)
  return reversed
}
