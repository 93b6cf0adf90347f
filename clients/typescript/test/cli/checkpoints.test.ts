import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const visits = 20
const newFolder = () => mkdtempDisposableSync(join(tmpdir(), 'broadside-checkpoints-'))
const seenIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'broadside/checkpoints.json'), 'utf8'))
const program = new URL('../../src/cli/checkpoints.ts', import.meta.url).href

/** Remembers a visit to this many logs, one after the other, in a process of its own. */
const save = (folder: string, name: string, count = visits) =>
  run(process.execPath, [
    ...['--input-type=module', '--eval'],
    `const { saveVisit } = await import(${JSON.stringify(program)})
    for (let at = 0; at < ${count}; at++)
      for (const origin of ['${name}' + at, 'shared.example/log']) {
        const size = origin.startsWith('shared') ? at : 5
        await saveVisit({ XDG_CONFIG_HOME: ${JSON.stringify(folder)} }, { isVerified: true, checks: [], checkpoint: { origin, note: origin + '\\n' + size + '\\nroot\\n' } })
      }`,
  ])

test('processes that verify at the same time lose nothing of what the others have seen', async () => {
  using folder = newFolder()
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => save(folder.path, name)))
  const seen = seenIn(folder.path)
  assert.equal(Object.keys(seen).length, 4 * visits + 1)
  assert.equal(seen['shared.example/log'].split('\n')[1], String(visits - 1), 'the largest checkpoint stays')
  assert.deepEqual(readdirSync(join(folder.path, 'broadside')), ['checkpoints.json'])
})

test('the lock of a process that was killed is removed', async () => {
  using folder = newFolder()
  const lock = join(folder.path, 'broadside/checkpoints.json.lock')
  mkdirSync(join(folder.path, 'broadside'))
  writeFileSync(lock, 'another process')
  const longAgo = Date.now() / 1_000 - 60
  utimesSync(lock, longAgo, longAgo)
  await save(folder.path, 'a', 1)
  assert.equal(Object.keys(seenIn(folder.path)).length, 2)
  assert.deepEqual(readdirSync(join(folder.path, 'broadside')), ['checkpoints.json'])
})
