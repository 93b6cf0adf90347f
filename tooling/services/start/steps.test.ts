import assert from 'node:assert/strict'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSteps, StepFailed } from './steps.ts'

function recorded() {
  const lines: string[] = []
  let time = 0
  const pass = (seconds: number) => {
    time += seconds * 1_000
  }
  return { lines, pass, steps: openSteps({ print: (line) => void lines.push(line), now: () => time }) }
}

test('each step is printed with its seconds', async () => {
  const { lines, pass, steps } = recorded()
  const port = await steps.run(
    'The server',
    async () => {
      pass(2.5)
      return 4000
    },
    { done: (found) => `Server on port ${found}` },
  )
  await steps.run('The schema', async () => pass(0.25))
  assert.equal(port, 4000)
  assert.deepEqual(lines, ['✓ Server on port 4000 (2.5 s)', '✓ The schema (0.3 s)'])
  assert.equal(steps.seconds(), '2.8')
})

test('a slow step says every ten seconds what it is waiting for, and is never given up', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { lines, pass, steps } = recorded()
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = steps.run('Broadside', (waitFor) => {
    waitFor('the desk at http://localhost:4005')
    return promise
  })
  for (let times = 0; times < 60; times++) {
    pass(10)
    t.mock.timers.tick(10_000)
  }
  assert.equal(lines.length, 60)
  assert.equal(lines[0], '… still waiting for the desk at http://localhost:4005 (10.0 s)')
  resolve()
  await running
  assert.equal(lines.at(-1), '✓ Broadside (600.0 s)')
})

test('a failed step is named with its cause, the last lines of its log and what to do', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-steps-'))
  const log = join(folder.path, 'inbox.log')
  writeFileSync(
    log,
    `${Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')}\nlisten EADDRINUSE: 4006\n`,
  )
  const { pass, steps } = recorded()
  const failing = async () => {
    pass(3)
    throw new Error('The service exited while starting', { cause: new Error('exit code 1') })
  }
  await assert.rejects(steps.run('The mail inbox', failing, { log }), (error) => {
    assert.ok(error instanceof StepFailed)
    assert.match(
      error.message,
      /^✗ The mail inbox failed after 3\.0 s: The service exited while starting\. exit code 1\.\n/,
    )
    assert.match(error.message, new RegExp(`The last lines of ${log}:\\n {2}line 26\\n`))
    assert.match(error.message, /EADDRINUSE: 4006\n\nWhat to do: stop the program that uses this port/)
    return true
  })
})
