import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { icsComponent, icsText, icsTexts, icsTime, icsValue } from './ics.ts'

test('text is escaped, and so is every line break', () => {
  assert.equal(icsText('SUMMARY', 'a,b;c\\d'), 'SUMMARY:a\\,b\\;c\\\\d\r\n')
  assert.equal(icsText('SUMMARY', 'a\r\nb\nc\rd\u2028e\u0085f'), 'SUMMARY:a\\nb\\nc\\nd\\ne\\nf\r\n')
  assert.equal(icsText('SUMMARY', 'a\0\x1B\x7F\tb'), 'SUMMARY:a\tb\r\n')
  assert.equal(icsTexts('CATEGORIES', ['a,b', 'c']), 'CATEGORIES:a\\,b,c\r\n')
})

test('a non-text value cannot start another property', () => {
  assert.equal(icsValue('URL', 'https://a.example/\r\nATTACH:x'), 'URL:https://a.example/ATTACH:x\r\n')
})

test('a line has at most 75 octets and never splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const lines = icsText('DESCRIPTION', text).split('\r\n')
      assert.equal(lines.pop(), '')
      for (const [at, line] of lines.entries()) {
        assert.ok(Buffer.byteLength(line) <= 75 && line.isWellFormed())
        assert.equal(line.startsWith(' '), at > 0)
      }
    }),
  )
  assert.equal(icsText('A', 'x'.repeat(73)), `A:${'x'.repeat(73)}\r\n`)
  assert.equal(icsText('A', 'x'.repeat(74)), `A:${'x'.repeat(73)}\r\n x\r\n`)
})

test('a component is enclosed in BEGIN and END', () => {
  assert.equal(icsComponent('VEVENT', [icsValue('SEQUENCE', 0)]), 'BEGIN:VEVENT\r\nSEQUENCE:0\r\nEND:VEVENT\r\n')
})

test('a time is in UTC, with whole seconds and a four-digit year', () => {
  assert.equal(icsTime('2030-06-15T18:00:00+01:00'), '20300615T170000Z')
  assert.equal(icsTime('2026-11-15T12:00:03.500Z'), '20261115T120003Z')
  assert.equal(icsTime('9999-12-31T23:59:59-11:00'), '99991231T235959Z')
})
