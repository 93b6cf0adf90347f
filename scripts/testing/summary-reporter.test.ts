import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { repoDir } from '../../tooling/services/state.ts'
import { repeatCommands } from './repeat-commands.ts'
import { writeGroups } from './write-groups.ts'

/** Runs test files with the reporter of `npm test`. */
async function report(words: readonly string[], slowest = 0): Promise<string> {
  const reporter = `--test-reporter=${join(repoDir, 'scripts/testing/summary-reporter.ts')}`
  const environment: NodeJS.ProcessEnv = { ...process.env, BROADSIDE_SLOWEST_TESTS: String(slowest) }
  // A test runner inside a test runner would report to the outer one.
  delete environment['NODE_TEST_CONTEXT']
  const child = spawn(process.execPath, ['--test', reporter, ...words], {
    cwd: repoDir,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return readText(child.stdout)
}

const failing = `
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
test('passes', () => {})
test('the balance isn’t 100 % right (a $seeded fault)', () => assert.equal(1, 2))
suite('inside a suite', () => test('fails as well', () => assert.fail()))
`

test('a failed test prints the command that repeats it, alone and in a group, and the command finds the test', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-failing-'))
  const file = join(folder.path, 'seeded.test.ts')
  writeFileSync(file, failing)
  const alone = await report([file])
  const commands = [...alone.matchAll(/npm test -- (\S+) --test-name-pattern '(.+)'\n/g)]
  assert.deepEqual(
    commands.map(([, , pattern]) => pattern),
    ['^the balance isn.t 100 % right .a .seeded fault.$', '^fails as well$'],
    alone,
  )
  for (const [, path = ''] of commands) assert.equal(path, file)
  const [group = ''] = writeGroups([[file]], folder.path)
  assert.equal(await report([group]), alone)
  const repeated = await report([`--test-name-pattern=${commands[0]?.[2]}`, file])
  assert.equal(repeated.match(/npm test -- /g)?.length, 1)
})

test('a file that cannot be loaded is repeated as a whole', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-failing-'))
  const file = join(folder.path, 'broken.test.ts')
  writeFileSync(file, "import './missing.ts'\n")
  const [group = ''] = writeGroups([[file]], folder.path)
  for (const path of [file, group]) assert.match(await report([path]), /npm test -- \S*broken\.test\.ts\n/)
})

test('a failed test of the Python client is named with the command of pytest', () => {
  const stdout = [
    'FAILED tests/test_pages.py::test_each_page - AssertionError: 1',
    "ERROR tests/test_posts.py::test_kind[event one] - fixture 'x' not found",
    '1 failed, 90 passed in 3.2s',
  ].join('\n')
  const error = new Error('wrapped', { cause: Object.assign(new Error('Command failed'), { stdout }) })
  assert.deepEqual(repeatCommands({ name: 'pytest passes', file: 'test/clients/python.test.ts', error }), [
    "npm test -- test/clients/python.test.ts --test-name-pattern '^pytest passes$'",
    "cd clients/python && /usr/bin/python3 -m pytest 'tests/test_pages.py::test_each_page'",
    "cd clients/python && /usr/bin/python3 -m pytest 'tests/test_posts.py::test_kind[event one]'",
  ])
})

test('the slowest tests and files are listed at the end', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-slow-'))
  const file = join(folder.path, 'timed.test.ts')
  writeFileSync(file, "import { test } from 'node:test'\ntest('one', () => {})\ntest('two', () => {})\n")
  const listed = await report([file], 20)
  assert.match(
    listed,
    /^\nThe slowest tests:\n( +\d\.\d s {2}(one|two) \(\S+timed\.test\.ts\)\n){2}\nThe slowest files:\n +\d\.\d s {2}\S+timed\.test\.ts\n$/,
  )
  assert.equal(await report([file]), '')
})
