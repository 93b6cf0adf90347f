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
const release = read('.github/workflows/release.yml')
const setup = read('.github/actions/setup/action.yml')

test('the workflows and the shared action pass GitHub’s parser and our rules', async () => {
  assert.deepEqual(
    workflows.map((path) => path.replace('.github/workflows/', '')),
    ['ci.yml', 'codeql.yml', 'nightly.yml', 'release.yml'],
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

test('a release is built and compared before anything is published, by jobs without more rights than they need', () => {
  const { on, jobs } = parseWorkflow(release)
  assert.deepEqual(on, { push: { tags: ['v*'] } })
  const { build, ...others } = jobs
  assert.equal(build?.permissions, undefined)
  assert.ok(build?.steps.some(({ run }) => run === 'npm run release -- --verify'))
  const rights = Object.fromEntries(
    Object.entries(others).map(([name, job]) => [
      name,
      Object.entries(job.permissions ?? {}).flatMap(([right, level]) => (level === 'write' ? right : [])),
    ]),
  )
  assert.deepEqual(rights, {
    attest: ['id-token', 'attestations'],
    npm: ['id-token'],
    pypi: ['id-token'],
    image: ['packages', 'id-token', 'attestations'],
    publish: ['contents'],
  })
  const before = (name: string): string[] => [jobs[name]?.needs ?? []].flat().flatMap((one) => [one, ...before(one)])
  for (const name of Object.keys(others)) assert.ok(before(name).includes('build'), name)
  for (const name of ['npm', 'pypi', 'image']) assert.equal(jobs[name]?.environment, 'release', name)
  assert.deepEqual([jobs['publish']?.needs].flat().sort(), ['image', 'npm', 'pypi'])
})

const faultsOfRelease: readonly Fault[] = [
  ['npm run release -- --verify', 'npm run relase -- --verify', /no script relase/],
  [
    '      contents: write\n    steps:',
    '      contents: write\n    steps:\n      - run: npm run release',
    /must not run code/,
  ],
  ['"./release/broadside-$', '"./release/broadside-$' + '{{ github.ref_name }}-$', /has an expression/],
  [/actions\/attest@[0-9a-f]{40}/, 'actions/attest@v4', /actions\/attest@v4 must be pinned/],
]
for (const [from, to, message] of faultsOfRelease)
  test(`our rules refuse a release with ${JSON.stringify(to)}`, () => {
    assert.match(faultsOfWorkflow('release.yml', seed(release, from, to)).join('\n'), message)
  })

test('GitHub’s parser refuses faults of a release', async () => {
  for (const [from, to, message] of [
    ['needs: build', 'needs: bild', /bild/],
    ['steps.push.outputs', 'step.push.outputs', /step/],
    ['subject-path', 'subject-paths', /subject-paths/],
    ['id-token: write', 'id-tokens: write', /id-tokens/],
  ] as const)
    assert.match((await lintWorkflow('release.yml', seed(release, from, to))).join('\n'), message)
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
