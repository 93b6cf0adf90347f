import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { freePort } from '../../tooling/services/state.ts'

/** Runs `npm run dev` or `npm run up` with a state folder of its own, so that a running service is left alone. */
async function start(name: 'dev' | 'up', environment: NodeJS.ProcessEnv) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-dev-'))
  chmodSync(folder.path, 0o755)
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    env: { ...process.env, BROADSIDE_STATE_DIR: folder.path, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

for (const name of ['dev', 'up'] as const)
  test(`npm run ${name} names what failed and what to do, without a stack trace`, async () => {
    const port = await freePort()
    const { code, stdout, stderr } = await start(name, { DATABASE_URL: `postgres://x:y@127.0.0.1:${port}/postgres` })
    assert.equal(code, 1, stderr)
    assert.match(stdout, /^✓ PostgreSQL on port \d+ \(\d+\.\d s\)\n/)
    assert.match(stderr, new RegExp(`^✗ The schema failed after \\d+\\.\\d s: .*ECONNREFUSED 127\\.0\\.0\\.1:${port}`))
    assert.match(stderr, /\n\nWhat to do: check that the server at this address runs; without DATABASE_URL, .+\n$/)
    assert.doesNotMatch(stderr, /\n {4}at /)
  })
