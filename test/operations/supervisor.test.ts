import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { childrenOf, settingsFor, spawnBroadside, spawnNode } from '../../tooling/environment/processes.ts'
import { migratedDatabase } from '../../tooling/services/databases.ts'
import { answers } from '../../tooling/services/stack.ts'
import { isRunning, repoDir, waitFor } from '../../tooling/services/state.ts'
import { nightly } from '../../tooling/test-length.ts'

for (const { how, flags, when } of [
  { how: 'killed', flags: [], when: {} },
  // Only development watches.
  { how: 'killed while it watches the code', flags: ['--watch'], when: nightly },
])
  test(
    `threads and child processes work under the supervisor, and when it is ${how}, no process stays behind`,
    when,
    async () => {
      // Each start has other ports, so that its transparency log has another name.
      await using database = await migratedDatabase('supervisor')
      // The supervisor runs the model, which scores in threads, and the process that draws cards in a child.
      const settings = await settingsFor(database, { MODEL_DRIVER: 'always-on' })
      await using all = spawnBroadside(settings, 'start', ...flags)
      const ports = (['API', 'OWNER_PAGE', 'DESK', 'CARDS', 'WORKER'] as const).map(
        (name) => settings[`${name}_HEALTH_PORT`],
      )
      const isReady = (port: string | undefined) => answers(`http://127.0.0.1:${port}/readyz`)
      await waitFor(async () => (await Promise.all(ports.map(isReady))).every(Boolean), 'all processes to be ready')
      assert.ok(await answers(`http://127.0.0.1:${settings.CARDS_PORT}/check`), 'a card is drawn')
      const scores = async () =>
        (await fetch(`${settings.MODEL_URL}/v1/moderations`, scored).catch(() => null))?.ok === true
      await waitFor(scores, 'the model to score a text')
      const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child.pid, ...below(child.pid)])
      const processes = below(all.pid)
      assert.ok(processes.length >= 7)
      all.signal('SIGKILL')
      await waitFor(async () => !processes.some(isRunning), 'every process to end')
    },
  )

const scored = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ input: ['The ferry leaves at nine.'] }),
}

test('a copy of the working folder does not stop the processes of the original', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'broadside-copy-'))
  // Otherwise the state would lie elsewhere, because the services' users could not reach it.
  chmodSync(copy, 0o755)
  const programs = ['tooling/services/inbox.ts', 'tooling/services/payment-provider/main.ts', 'src/bin/broadside.ts']
  // Stands for the original's processes: its command line names the same programs.
  const commandLine = programs.map((path) => join(repoDir, path))
  await using original = spawnNode({}, ['-e', 'setInterval(() => {}, 1_000)', '--', ...commandLine])
  try {
    const isCode = (path: string) => !/\/(?:node_modules|weights|data|test|\.git|\.broadside)$/.test(path)
    cpSync(repoDir, copy, { recursive: true, filter: isCode })
    symlinkSync(join(repoDir, 'node_modules'), join(copy, 'node_modules'))
    const state = join(copy, '.broadside')
    mkdirSync(state)
    for (const name of ['inbox', 'payment-provider', 'broadside'])
      writeFileSync(join(state, `${name}.pid`), `${original.pid}\n`)
    await using down = spawnNode({ BROADSIDE_STATE_DIR: state }, [join(copy, 'scripts/development/down.ts')])
    assert.equal(await down.ended, 0, down.output.stderr)
    assert.ok(original.isRunning())
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
