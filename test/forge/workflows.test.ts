import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../tooling/services/state.ts'
import { read, tracked } from '../support/repository.ts'
import { lintWorkflow } from './lint-workflow.ts'
import { faultsOfAction, faultsOfWorkflow, parseWorkflow } from './workflow-rules.ts'

const workflows = tracked.filter((path) => path.startsWith('.github/workflows/'))
const actions = tracked.filter((path) => path.startsWith('.github/actions/'))
const ci = read('.github/workflows/ci.yml')
const nightly = read('.github/workflows/nightly.yml')
const setup = read('.github/actions/setup/action.yml')

test('the workflows and the shared action pass GitHub’s parser and our rules', async () => {
  assert.deepEqual(
    workflows.map((path) => path.replace('.github/workflows/', '')),
    ['ci.yml', 'codeql.yml', 'nightly.yml'],
  )
  assert.deepEqual(actions, ['.github/actions/setup/action.yml'])
  for (const path of [...workflows, ...actions]) assert.deepEqual(await lintWorkflow(path, read(path)), [], path)
  for (const path of workflows) assert.deepEqual(faultsOfWorkflow(path, read(path)), [])
  for (const path of actions) assert.deepEqual(faultsOfAction(path, read(path)), [])
})

/** Each fault replaces the first text by the second in a correct file. */
type Fault = readonly [from: string | RegExp, to: string, message: RegExp]

const faultsForParser: readonly Fault[] = [
  ['permissions:', 'permissons:', /Unexpected value 'permissons'/],
  ['runs-on: ubuntu-24.04', 'needs: nothing', /Required property is missing: runs-on/],
  ['17 1 * * *', '77 1 * * *', /Invalid cron expression/],
  ['matrix.scenario', 'matrix.scenarios', /Context access might be invalid: scenarios/],
  ['matrix.scenario }}', 'matrix.scenario', /unterminated|missing|closing/i],
  ['fetch-depth: 0', 'fetch-dept: 0', /Invalid action input 'fetch-dept'/],
  ['schedule:', 'scheduled:', /Unexpected value 'scheduled'/],
  ['- run: npm', '- runs: npm', /Unexpected value 'runs'/],
  ['timeout-minutes: 240', 'timeout-minutes: long', /long/],
  ['contents: read', 'contents: all', /all/],
]
for (const [from, to, message] of faultsForParser)
  test(`GitHub’s parser refuses a workflow with ${JSON.stringify(to)}`, async () => {
    assert.match((await lintWorkflow('nightly.yml', seed(nightly, from, to))).join('\n'), message)
  })

const pin = /actions\/checkout@[0-9a-f]{40}/
const faultsForRules: readonly Fault[] = [
  [/^permissions:\n {2}contents: read\n/m, '', /must have permissions/],
  ['contents: read', 'contents: write', /may only read/],
  ['pull_request:', 'pull_request_target:', /code of strangers/],
  [pin, 'actions/checkout@v7', /actions\/checkout@v7 must be pinned/],
  [pin, 'actions/checkout@3d3c42e', /must be pinned/],
  [' # v7.0.1', '', /version as a comment/],
  ['persist-credentials: false', 'persist-credentials: true', /persist-credentials/],
  ['timeout-minutes: 90', 'timeout-minutes: 900', /timeout-minutes/],
  ['runs-on: ubuntu-24.04', 'runs-on: ubuntu-latest', /not the latest/],
  ['node:26.10.0-bookworm', 'node:latest', /image must have a version/],
  ['.ci/run', 'echo $' + '{{ github.event.pull_request.title }}', /has an expression/],
  ['.ci/run', '.ci/rum', /no command .ci\/rum/],
  ['.ci/run', 'npm run ci2', /no script ci2/],
  [pin, `someone/else@${'a'.repeat(40)}`, /inputs of someone\/else/],
  [
    'timeout-minutes: 90',
    'timeout-minutes: 90\n    permissions: { contents: write }',
    /must not run code with dependencies/,
  ],
]
for (const [from, to, message] of faultsForRules)
  test(`our rules refuse a workflow with ${JSON.stringify(to)} for ${String(from)}`, () => {
    assert.match(faultsOfWorkflow('ci.yml', seed(ci, from, to)).join('\n'), message)
  })

test('parser and rules refuse faults of an action', async () => {
  assert.match((await lintWorkflow('a/action.yml', seed(setup, 'composite', 'composed'))).join('\n'), /composed/)
  assert.match(
    (await lintWorkflow('a/action.yml', seed(setup, 'description:', 'descripton:'))).join('\n'),
    /descripton/,
  )
  assert.match(faultsOfAction('action.yml', seed(setup, 'shell: bash', '')).join('\n'), /must name its shell/)
  assert.match(
    faultsOfAction('action.yml', seed(setup, '$PWD', '$' + '{{ inputs.packages }}')).join('\n'),
    /expression/,
  )
})

function seed(text: string, from: string | RegExp, to: string): string {
  const wrong = text.replace(from, () => to)
  assert.notEqual(wrong, text, `the file has no ${from}`)
  return wrong
}

test('each night runs every chaos scenario and every fuzzer, each in a job of its own', () => {
  const { jobs } = parseWorkflow(nightly)
  const listed = (path: string) =>
    execFileSync(process.execPath, [join(repoDir, path), '--help'], { encoding: 'utf8' })
      .split('\n')
      .map((line) => /^ {2}(\S+) /.exec(line)?.[1] ?? '')
      .filter((name) => name !== '')
  for (const [job, name, path] of [
    ['chaos', 'scenario', 'scripts/fault-injection/chaos/main.ts'],
    ['fuzz', 'fuzzer', 'scripts/fault-injection/fuzz/main.ts'],
  ] as const) {
    assert.deepEqual(jobs[job]?.strategy?.matrix[name], listed(path))
    assert.equal(jobs[job]?.strategy?.['fail-fast'], false)
  }
})

test('all workflows run the Node of package.json', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  const versions = workflows.flatMap((path) =>
    [...read(path).matchAll(/\bnode(?:-version)?: ?(\d[\w.]*)/g)].map(([, version]) => version),
  )
  assert.ok(versions.length >= 4)
  assert.deepEqual([...new Set(versions)], [dependencies['node']])
})

test('an action has the same pin everywhere', () => {
  const pins = new Map<string, Set<string>>()
  for (const path of [...workflows, ...actions])
    for (const [, name = '', pinned = ''] of read(path).matchAll(/uses: ([\w./-]+)@(.*)/g))
      pins.set(name, (pins.get(name) ?? new Set()).add(pinned))
  for (const [name, versions] of pins) assert.equal(versions.size, 1, `${name}: ${[...versions].join(', ')}`)
})
