import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thisNode, tryRuntimes } from './run-runtimes.ts'

test('the packed client installs, has its types, and works in Node and in Chromium', async () => {
  const lines: string[] = []
  await tryRuntimes(
    async () => [thisNode],
    (line) => lines.push(line),
  )
  assert.deepEqual(lines, ['types: ok', `${thisNode.name}: ok`, 'Chromium: ok'])
})
