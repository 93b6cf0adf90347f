import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Column, openOutput, tableLines } from '../../src/cli/terminal/output.ts'
import { fit, oneLine, printable, safeJson, usd, widthOf, wrap } from '../../src/cli/terminal/text.ts'

const plain = { style: (_: unknown, text: string) => text }
type Row = { id: string; text: string }
const columns: Column<Row>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'TEXT', text: ({ text }) => text, isFlexible: true },
  { title: 'END', text: () => 'x' },
]

test('a table has aligned columns that fit the terminal, also with wide characters', () => {
  const rows = [
    { id: 'post_a', text: 'The ferry to Cacilhas runs again from the second pier' },
    { id: 'post_bcd', text: '渡し船はまた走っています、二番目の桟橋から' },
    { id: 'p', text: 'Café ⛴️ ok' },
  ]
  const lines = tableLines(rows, columns, { ...plain, width: 40 })
  const [head = '', ...body] = lines
  assert.equal(head, 'ID        TEXT                       END')
  for (const line of body) {
    assert.ok(widthOf(line) <= 40, line)
    assert.equal(widthOf(line.slice(0, line.lastIndexOf('x'))), head.indexOf('END'))
  }
  assert.ok(body[0]?.includes('…'))
  const wide = tableLines(rows, columns, { ...plain, width: Number.POSITIVE_INFINITY })
  assert.ok(wide.every((line) => !line.includes('…')))
})

test('text of strangers cannot control the terminal', () => {
  const hostile = 'a\x1b[31mb\u202ec\u0007\nd\u2028e\u200b'
  assert.equal(printable(hostile), 'a[31mbcde')
  assert.equal(oneLine(' a\n\tb\x1b '), 'a b')
  const [, line = ''] = tableLines([{ id: hostile, text: hostile }], columns, { ...plain, width: 80 })
  assert.equal(line, printable(line))
  const text = safeJson({ hostile }, 2)
  assert.deepEqual(JSON.parse(text), { hostile })
  assert.match(text, /\n {2}"hostile"/)
  assert.equal(text.replaceAll('\n', ''), printable(text))
})

test('no line of the output can control the terminal, except by its own styles', () => {
  for (const isTTY of [true, false]) {
    const written: string[] = []
    const stream = { isTTY, columns: 80, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream
    const out = openOutput({ stdout: stream, stderr: stream }, {}, false)
    for (const write of [out.print, out.note]) write(`${out.style('red', 'a')}\x1b[2Jb\x1b]0;c\x07\nd\u202e`)
    const shown = `${isTTY ? '\x1b[31ma\x1b[39m' : 'a'}[2Jb]0;cd\n`
    assert.deepEqual(written, [shown, shown])
  }
})

test('a flag takes two columns', () => {
  assert.equal(widthOf('🇵🇹'), 2)
  assert.equal(widthOf('🇵🇹🇪🇸 a'), 6)
})

test('colours appear on a terminal only, and not with NO_COLOR or --json', () => {
  const streams = (isTTY: boolean) => {
    const written: string[] = []
    const stream = { isTTY, columns: 80, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream
    return { stdout: stream, stderr: stream, written }
  }
  const styled = (isTTY: boolean, environment: NodeJS.ProcessEnv, isJson = false) =>
    openOutput(streams(isTTY), environment, isJson).style('red', 'a')
  assert.equal(styled(true, {}), '\x1b[31ma\x1b[39m')
  assert.equal(styled(false, {}), 'a')
  assert.equal(styled(true, { NO_COLOR: '1' }), 'a')
  assert.equal(styled(true, { TERM: 'dumb' }), 'a')
  assert.equal(styled(true, {}, true), 'a')
  const { stdout, stderr, written } = streams(true)
  openOutput({ stdout, stderr }, {}, false).progress('Waiting for post_a')()
  assert.deepEqual(written, ['\rWaiting for post_a 0 s\x1b[K', '\r\x1b[K'])
  const silent = streams(false)
  openOutput(silent, {}, false).progress('Waiting')()
  assert.deepEqual(silent.written, [])
})

test('texts are cut and broken by columns, and money is exact', () => {
  assert.equal(fit('abcdef', 4), 'abc…')
  assert.equal(fit('漢字漢字', 5), '漢字…')
  assert.equal(fit('abcd', 4), 'abcd')
  assert.deepEqual(wrap('one two three', 7), ['one two', 'three'])
  assert.deepEqual([0, 10_000, 1_500_000, 1_234_567, -20_000].map(usd), [
    '$0.00',
    '$0.01',
    '$1.50',
    '$1.234567',
    '-$0.02',
  ])
})
