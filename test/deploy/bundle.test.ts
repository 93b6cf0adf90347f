// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { asProduction, settingsFor, spawnNode, type TestSettings } from '../../tooling/environment/processes.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { answers } from '../../tooling/services/stack.ts'
import { quietPort, waitFor } from '../../tooling/services/state.ts'
import { isWhole, nightly } from '../../tooling/test-length.ts'
import { copyImageFiles } from '../support/deploy/image-files.ts'
import { seedPost } from '../support/posts/create-post.ts'

const folder = mkdtempSync(join(tmpdir(), 'broadside-bundle-'))
const bundle = join(folder, 'dist/program')
const kind = kinds[0] as Kind
let service: Service
let settings: TestSettings
before(async () => {
  copyImageFiles(folder)
  await build()
  service = await startService()
  settings = {
    ...asProduction(await settingsFor(service.database)),
    ...{ PAGES_DIRECTORY: join(folder, 'pages'), ERASURE_LOG: join(folder, 'erasures'), LOG_LEVEL: 'error' },
  }
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function build(): Promise<void> {
  await using running = spawnNode({}, [join(folder, 'scripts/generation/bundle.ts')])
  assert.equal(await running.ended, 0, running.output.stderr)
}

/** The program from the bundle, which replaces the sources only in production. */
const spawnBundled = (changes: TestSettings, ...args: string[]) =>
  spawnNode({ ...settings, ...changes, NODE_ENV: 'production' }, [join(folder, 'src/bin/broadside.ts'), ...args])

async function run(changes: TestSettings, ...args: string[]) {
  await using running = spawnBundled(changes, ...args)
  return { code: await running.ended, ...running.output }
}

test('two builds of the same sources have the same bytes', nightly, async () => {
  const digests = () =>
    Object.fromEntries(readdirSync(bundle).map((file) => [file, hash('sha256', readFileSync(join(bundle, file)))]))
  const first = digests()
  assert.ok(Object.keys(first).includes('main.js'))
  await build()
  assert.deepEqual(digests(), first)
})

test('every sub-command loads', async () => {
  const { code, stdout, stderr } = await run({}, '--help')
  assert.deepEqual([code, stderr], [0, ''])
  for (const name of ['api', 'worker', 'model', 'ledger verify']) assert.ok(stdout.includes(`\n  ${name}`), name)
})

test('an error names the line of the source', async () => {
  const file = join(folder, 'not-a-folder')
  writeFileSync(file, '')
  const { code, stderr } = await run({ PAGES_DIRECTORY: join(file, 'pages') }, 'documents')
  assert.equal(code, 1)
  assert.match(stderr, /at .*src\/platform\/page-store\/site-tree\.ts:\d+/)
  assert.doesNotMatch(stderr, /dist\/program/)
})

test('every process starts, is ready and ends without an error', async () => {
  const [port, healthPort] = [String(await quietPort()), String(await quietPort())]
  const accessLog = join(folder, 'access.log')
  writeFileSync(accessLog, '')
  const processes: Record<string, TestSettings> = {
    api: { API_PORT: port, API_HEALTH_PORT: healthPort },
    worker: { WORKER_HEALTH_PORT: healthPort },
    model: { MODEL_PORT: healthPort },
    'owner-page': { OWNER_PAGE_PORT: port, OWNER_PAGE_HEALTH_PORT: healthPort },
    desk: { DESK_PORT: port, DESK_HEALTH_PORT: healthPort },
    cards: { CARDS_PORT: port, CARDS_HEALTH_PORT: healthPort },
    'gateway-metrics': { GATEWAY_ACCESS_LOG: accessLog, GATEWAY_METRICS_PORT: healthPort },
  }
  // test/operations/processes.test.ts starts the others from a bundle of the same sources.
  const isDue = (name: string) => isWhole || ['model', 'cards', 'gateway-metrics'].includes(name)
  for (const [name, ports] of Object.entries(processes).filter(([each]) => isDue(each))) {
    await using running = spawnBundled(ports, name)
    const readyUrl = `http://127.0.0.1:${healthPort}/${name === 'model' ? 'healthz' : 'readyz'}`
    await waitFor(async () => !running.isRunning() || (await answers(readyUrl)), `${name} to be ready`)
    assert.ok(running.isRunning(), `${name} ended: ${running.output.stderr}`)
    if (name === 'model') await assertScores(healthPort)
    if (name === 'cards') assert.ok(await answers(`http://127.0.0.1:${port}/check`), 'it draws in a child process')
    running.signal('SIGTERM')
    assert.equal(await running.ended, 0, `${name}: ${running.output.stderr}`)
    assert.equal(running.output.stderr, '', name)
  }
})

/** The model scores texts in threads. */
async function assertScores(port: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/moderations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: ['The ferry leaves at nine.'] }),
  })
  assert.equal(response.status, 200, await response.text())
}

test('a rebuild renders pages in threads', async () => {
  const { id: accountId } = await service.createCustomer(1_000_000)
  const id = await seedPost(service, kind, { accountId, status: 'published' })
  const { code, stdout, stderr } = await run({}, 'rebuild', '--site', kind.name, '--threads', '1')
  assert.equal(code, 0, stderr)
  assert.equal(JSON.parse(stdout).posts, 1)
  const files = readdirSync(join(folder, 'pages'), { recursive: true, encoding: 'utf8' })
  assert.ok(files.some((file) => file.includes(id)))
})
