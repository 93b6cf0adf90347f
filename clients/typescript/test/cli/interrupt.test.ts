import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startCommandLine } from '../../../../tooling/clients/command-line.ts'
import { waitFor } from '../../../../tooling/services/state.ts'
import { json, serve } from '../misbehaving-server.ts'

const queued = {
  ...{ id: 'post_a', kind: 'message', status: 'queued', created_at: '2026-11-18T00:00:00.000Z', decided_at: null },
  ...{ url: null, charged_micros: 10_000, refunded_micros: 0, policy_version: '2026-11-15' },
}

test('Ctrl-C while waiting says how to wait again, and exits with 130', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-wait-'))
  await using server = await serve(json(200, queued, { 'retry-after': '60' }))
  const env = { XDG_CONFIG_HOME: folder.path, BROADSIDE_URL: server.baseUrl, BROADSIDE_API_KEY: 'bsk_a' }
  for (const isJson of [false, true]) {
    const asked = server.seen.length
    await using waiting = startCommandLine(['wait', 'post_a', ...(isJson ? ['--json'] : [])], { env })
    await waitFor(async () => server.seen.length > asked, 'the first poll')
    waiting.child.kill('SIGINT')
    const { code, stdout, stderr } = await waiting.ended
    assert.equal(code, 130, stderr)
    if (isJson) assert.match(JSON.parse(stdout).advice, /broadside wait post_a/)
    else assert.equal(stderr, 'Stopped.\nWait again: broadside wait post_a\n')
  }
})

test('a post that is not decided in time is printed and exits with 10', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-wait-'))
  await using server = await serve(json(200, queued))
  const env = { XDG_CONFIG_HOME: folder.path, BROADSIDE_URL: server.baseUrl, BROADSIDE_API_KEY: 'bsk_a' }
  const { code, stdout } = await startCommandLine(['wait', 'post_a', '--timeout', '1', '--json'], { env }).ended
  assert.deepEqual([code, JSON.parse(stdout)], [10, queued])
})
