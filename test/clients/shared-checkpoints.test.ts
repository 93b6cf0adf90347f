import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { repoDir } from '../../tooling/services/state.ts'

const run = promisify(execFile)
const visits = 20
const newFolder = () => mkdtempDisposableSync(join(tmpdir(), 'broadside-checkpoints-'))
const seenIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'broadside/checkpoints.json'), 'utf8'))

/** Remembers a visit to this many logs, one after the other, in a process of its own. */
const save = {
  typescript: (folder: string, name: string, count = visits) =>
    run(process.execPath, [
      ...['--input-type=module', '--eval'],
      `const { saveVisit } = await import(${JSON.stringify(pathToFileURL(join(repoDir, 'clients/typescript/src/cli/checkpoints.ts')).href)})
      for (let at = 0; at < ${count}; at++)
        for (const origin of ['${name}' + at, 'shared.example/log']) {
          const size = origin.startsWith('shared') ? at : 5
          await saveVisit({ XDG_CONFIG_HOME: ${JSON.stringify(folder)} }, { isVerified: true, checks: [], checkpoint: { origin, note: origin + '\\n' + size + '\\nroot\\n' } })
        }`,
    ]),
  python: (folder: string, name: string, count = visits) =>
    run(
      process.env['PYTHON'] ?? '/usr/bin/python3',
      [
        '-c',
        `
from broadside._cli.checkpoints import save_visit
from broadside.verify import LogCheckpoint, Verification
for at in range(${count}):
    for origin, size in (("${name}%d" % at, 5), ("shared.example/log", at)):
        save_visit({"XDG_CONFIG_HOME": ${JSON.stringify(folder)}}, Verification(True, [], LogCheckpoint(origin, f"{origin}\\n{size}\\nroot\\n")))
`,
      ],
      { env: { ...process.env, PYTHONPATH: join(repoDir, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' } },
    ),
}

test('processes that verify at the same time lose nothing of what the others have seen, in either language', async () => {
  using folder = newFolder()
  await Promise.all([
    save.typescript(folder.path, 'a'),
    save.python(folder.path, 'b'),
    save.typescript(folder.path, 'c'),
    save.python(folder.path, 'd'),
  ])
  const seen = seenIn(folder.path)
  assert.equal(Object.keys(seen).length, 4 * visits + 1)
  assert.equal(seen['shared.example/log'].split('\n')[1], String(visits - 1), 'the largest checkpoint stays')
  assert.deepEqual(readdirSync(join(folder.path, 'broadside')), ['checkpoints.json'])
})

for (const language of ['typescript', 'python'] as const)
  test(`the lock of a process that was killed is removed: ${language}`, async () => {
    using folder = newFolder()
    const lock = join(folder.path, 'broadside/checkpoints.json.lock')
    mkdirSync(join(folder.path, 'broadside'))
    writeFileSync(lock, 'another process')
    const longAgo = Date.now() / 1_000 - 60
    utimesSync(lock, longAgo, longAgo)
    await save[language](folder.path, 'a', 1)
    assert.equal(Object.keys(seenIn(folder.path)).length, 2)
    assert.deepEqual(readdirSync(join(folder.path, 'broadside')), ['checkpoints.json'])
  })
