import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { evaluations } from '../model/eval/main.ts'
import { trainings } from '../model/train/main.ts'
import { UsageError } from '../src/bin/command.ts'
import { repoDir } from '../tooling/services/state.ts'
import { drills } from './drill/main.ts'
import { chaosRuns } from './fault-injection/chaos/main.ts'
import { fuzzers } from './fault-injection/fuzz/main.ts'
import { audits } from './measurement/audit/main.ts'
import { benches } from './measurement/bench/main.ts'

type Named = Record<string, { load: () => Promise<(args: string[]) => Promise<void> | void> }>
const tables: Record<string, Named> = {
  bench: benches,
  audit: audits,
  drill: drills,
  chaos: chaosRuns,
  fuzz: fuzzers,
  eval: evaluations,
  train: trainings,
}

async function run(words: readonly string[]) {
  const child = spawn(process.execPath, words, { cwd: repoDir, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

test('a script answers an unknown option with its usage, and --help with what it does', async () => {
  const wrong = await run(['scripts/test.ts', '--nonsense'])
  assert.equal(wrong.code, 2)
  assert.match(
    wrong.stderr,
    /^Unknown option '--nonsense'\.\n\nUsage: npm test -- \[feature\|folder\|file\]… \[--changed\]/,
  )
  const { code, stdout, stderr } = await run(['scripts/test.ts', '--help'])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^Usage: npm test -- .+\n\nRuns the tests of every change/)
})

test('a wrong name lists the names and the closest one', async () => {
  const { code, stderr } = await run(['scripts/drill/main.ts', 'upgrades'])
  assert.equal(code, 2)
  assert.match(stderr, /^Unknown name 'upgrades'\. Did you mean 'upgrade'\?\n\nUsage: npm run drill/)
  for (const name of Object.keys(drills)) assert.match(stderr, new RegExp(`^ {2}${name} `, 'm'))
})

test('no bench, audit, drill, chaos run, fuzzer, evaluation or training starts with an unknown option', async () => {
  for (const [script, table] of Object.entries(tables))
    for (const [name, { load }] of Object.entries(table)) {
      const start = await load()
      await assert.rejects(async () => start(['--nonsense', '6']), UsageError, `${script} ${name}`)
      await assert.rejects(async () => start(['--help']), { message: '' }, `${script} ${name}`)
    }
})

test('the usage shows the options with their defaults, and a value out of bounds is refused', async () => {
  const { code, stderr } = await run(['scripts/drill/main.ts', 'upgrade', '--rate', 'many'])
  assert.equal(code, 2)
  assert.match(
    stderr,
    /^--rate must be a number from 0 to [\d,]+, not 'many'\.\n\nUsage: npm run drill -- upgrade \[--from HEAD\] \[--rate 20\]/,
  )
})
