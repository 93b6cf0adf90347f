import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine } from './csv.ts'

test('a cell that a spreadsheet would run as a formula starts with an apostrophe, and a number does not', () => {
  const cells = ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '＝1', '-0.02', '0.5', 'a=b', -3, null, '']
  assert.equal(csvLine(cells), "'=1+1,'+1,'-1+1,'@SUM(A1),'\t=1,'＝1,-0.02,0.5,a=b,-3,,\r\n")
})

test('quotes, commas and newlines are quoted as RFC 4180 says, so that any text can be read back', () => {
  assert.equal(csvLine(['a "b"', 'c,d', 'e\nf', 'g']), '"a ""b""","c,d","e\nf",g\r\n')
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
      const back = parse(csvLine(cells))
      assert.deepEqual(
        back.map((cell, index) => (cell === `'${cells[index]}` ? cells[index] : cell)),
        cells,
      )
      for (const cell of back) assert.doesNotMatch(cell, /^[=@\t]|^[+-](?!\d+(\.\d+)?$)/)
    }),
  )
})

/** The cells of one line, as a reader of RFC 4180 finds them. */
function parse(line: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at < line.length) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(line.slice(at))
    const plain = quoted ? null : /^[^,\r\n]*/.exec(line.slice(at))
    cells.push(quoted ? String(quoted[1]).replaceAll('""', '"') : String(plain?.[0]))
    at += (quoted ?? plain)?.[0].length ?? 0
    if (line.slice(at) === '\r\n') return cells
    assert.equal(line[at], ',')
    at += 1
  }
  throw new Error('the line does not end')
}
