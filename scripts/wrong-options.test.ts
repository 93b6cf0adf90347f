import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { evaluations } from '../model/eval/main.ts'
import { trainings } from '../model/train/main.ts'
import { UsageError } from '../src/bin/command.ts'
import { inParallel } from '../tooling/in-parallel.ts'
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

const manifest = JSON.parse(readFileSync(join(repoDir, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
/** The scripts of the project that run one of its own programs. */
const programs = Object.entries(manifest.scripts).flatMap(([name, command]) => {
  const own = /^(?:exec )?(?:[A-Z_]+=\S+ )*node (?:--\S+ )*(\S+\.ts)(.*)$/.exec(command)
  return own ? [{ name, words: [String(own[1]), ...String(own[2]).split(' ').filter(Boolean)] }] : []
})
/** The operator's command has tests of its own, and exits with 1. */
const ofOperator = ['start', 'broadside']

async function run(words: readonly string[]) {
  const child = spawn(process.execPath, words, { cwd: repoDir, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

test('every npm script answers an unknown option with its usage, not with a stack trace', async () => {
  assert.ok(programs.length >= 17, programs.map(({ name }) => name).join(' '))
  await inParallel(programs, async ({ name, words }) => {
    const { code, stdout, stderr } = await run([...words, '--nonsense'])
    const both = `npm run ${name}: ${stdout}${stderr}`
    assert.equal(code, ofOperator.includes(name) ? (name === 'start' ? 1 : 2) : 2, both)
    // The client is the command line that users have, so it names the command that they type.
    assert.match(both, name === 'client' ? /Run `broadside --help`/ : /Usage: npm |Try: npm /)
    assert.match(stderr, /nonsense/)
    assert.doesNotMatch(both, /\n {4}at |node:internal/)
  })
})

test('every npm script explains itself with --help', async () => {
  await inParallel(programs, async ({ name, words }) => {
    const { code, stdout, stderr } = await run([...words, '--help'])
    assert.deepEqual([code, stderr], [0, ''], name)
    assert.match(
      stdout,
      name === 'client' ? /^Usage: broadside .+\n[\s\S]{20,}/m : /^Usage: npm .+\n\n?[\s\S]{20,}/,
      name,
    )
  })
})

test('a wrong name lists the names and the closest one', async () => {
  for (const [script, table] of Object.entries(tables)) {
    const { words = [] } = programs.find(({ name }) => name === script) ?? {}
    const [known = ''] = Object.keys(table)
    const { code, stderr } = await run([...words, `${known}s`])
    assert.equal(code, 2)
    assert.match(
      stderr,
      new RegExp(`^Unknown \\w+ '${known}s'\\. Did you mean '${known}'\\?\n\nUsage: npm run ${script}`),
    )
    for (const name of Object.keys(table)) assert.match(stderr, new RegExp(`^ {2}${name} `, 'm'))
  }
})

test('no bench, audit, drill, chaos run, fuzzer, evaluation or training starts with an unknown option', async () => {
  for (const [script, table] of Object.entries(tables))
    for (const [name, { load }] of Object.entries(table)) {
      const start = await load()
      await assert.rejects(async () => start(['--nonsense', '6']), UsageError, `${script} ${name}`)
      await assert.rejects(async () => start(['--help']), { message: '--help was given.' }, `${script} ${name}`)
    }
})

test('the usage shows the options with their defaults', async () => {
  const { code, stderr } = await run(['scripts/measurement/bench/main.ts', 'webhooks', '--seconds', '6'])
  assert.equal(code, 2)
  assert.equal(
    stderr,
    [
      "Unknown option '--seconds'.",
      '',
      'Usage: npm run bench -- webhooks [--deliveries 10000] [--rounds 5] [--endpoints 20] [--profile FOLDER]',
      'npm run bench -- webhooks --help says more.',
      '',
    ].join('\n'),
  )
  const wrong = await run(['scripts/measurement/bench/main.ts', 'webhooks', '--rounds', 'many'])
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /^--rounds must be a whole number from 1 to 1,000,000,000, not 'many'\.\n\nUsage: /)
})
