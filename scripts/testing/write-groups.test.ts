import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { repoDir } from '../../tooling/services/state.ts'
import { writeGroups } from './write-groups.ts'

/** Runs these files, by name, in one process, and returns the lines of the spec reporter. */
async function runTogether(sources: Readonly<Record<string, string>>): Promise<string> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-group-'))
  const files = Object.entries(sources).map(([name, source]) => {
    const file = join(folder.path, `${name}.test.ts`)
    writeFileSync(file, `import { after, before, test } from 'node:test'\n${source}`)
    return file
  })
  const environment = { ...process.env }
  // A test runner inside a test runner would report to the outer one.
  delete environment['NODE_TEST_CONTEXT']
  const words = ['--test', '--test-reporter=spec', ...writeGroups([files], folder.path)]
  const child = spawn(process.execPath, words, { cwd: repoDir, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  return await readText(child.stdout)
}

test('the hooks of a file apply to its own tests, and files of a group run one after the other', async () => {
  const noting = (name: string) => `
before(() => console.log('${name} before'))
after(() => console.log('${name} after'))
await new Promise((resolve) => setTimeout(resolve, ${name === 'a' ? 100 : 0}))
test('${name} one', () => console.log('${name} one'))
test('${name} two', async () => { await null; console.log('${name} two') })
`
  const output = await runTogether({ a: noting('a'), b: noting('b') })
  const steps = output.split('\n').filter((line) => /^[ab] (before|one|two|after)$/.test(line))
  assert.deepEqual(
    steps,
    ['a', 'b'].flatMap((name) => ['before', 'one', 'two', 'after'].map((step) => `${name} ${step}`)),
  )
})

test('tests belong to their own file, also if files wait for the same module', async () => {
  const slow = `data:text/javascript,await new Promise((resolve) => setTimeout(resolve, 100))`
  const source = (name: string) => `
import ${JSON.stringify(slow)}
before(() => console.log('${name} before'))
test('${name} one', () => console.log('${name} one'))
`
  const output = await runTogether({ a: source('a'), b: source('b'), c: source('c') })
  const steps = output.split('\n').filter((line) => /^[abc] (before|one)$/.test(line))
  assert.deepEqual(
    steps,
    ['a', 'b', 'c'].flatMap((name) => [`${name} before`, `${name} one`]),
  )
})

test('a file that leaves a variable, an exit code, a mock or a listener to the next file fails', async () => {
  const faults = {
    variable: "test('x', () => { process.env['LEFT_BEHIND'] = '1' })",
    code: "test('x', () => { process.exitCode = 3 })",
    mock: "test('x', () => { Date.now = () => 0 })",
    listener: "test('x', () => { process.on('warning', () => {}) })",
  }
  const names = ['process.env.LEFT_BEHIND', 'process.exitCode', 'Date.now', 'listeners of warning']
  for (const [at, [name, source]] of Object.entries(faults).entries()) {
    const output = await runTogether({ [name]: source })
    assert.match(output, new RegExp(`${name}\\.test\\.ts left changed what it shares`), name)
    assert.ok(output.includes(`'${names[at]}'`), output)
  }
  const clean = "test('x', (t) => { t.mock.method(Date, 'now', () => 0) })"
  assert.match(await runTogether({ clean }), /ℹ fail 0/)
})
