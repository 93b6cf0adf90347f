// Runs alone: it starts processes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../../../tooling/test-length.ts'
import { killProcesses } from './posts.ts'

test('Invariant 2: while API and worker processes are killed, every post is charged, decided and announced once', async () => {
  const size = { submissions: times({ whole: 200, short: 40 }), kills: times({ whole: 20, short: 4 }), clients: 16 }
  const { broken, acknowledged, kills, ...figures } = await killProcesses(size)
  assert.deepEqual(broken, [], JSON.stringify(figures))
  assert.deepEqual([acknowledged, kills.all], [size.submissions, size.kills])
})
