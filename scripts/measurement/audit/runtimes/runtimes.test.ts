import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nightly } from '../../../../tooling/test-length.ts'
import { tryRuntimes } from './run-runtimes.ts'

test('the packed client installs, has its types, and works in Node and in Chromium', nightly, async () => {
  const lines: string[] = []
  await tryRuntimes([[process.execPath]], (line) => lines.push(line))
  assert.deepEqual(lines, ['types: ok', `${process.execPath}: ok`, 'Chromium: ok'])
})
