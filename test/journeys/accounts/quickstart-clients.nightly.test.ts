// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { documentPages } from '../../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../../src/documents/site-documents.ts'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { isWhole } from '../../../tooling/test-length.ts'
import { buildPythonClient, packTypeScriptClient } from '../../support/clients/build-packages.ts'
import { type PaymentFixture, startPaying, topUp } from '../../support/money/payment-fixture.ts'
import { snippetsOn, systemPython } from '../../support/pages/run-snippets.ts'

const run = promisify(execFile)
const shownKinds = isWhole ? kinds : kinds.slice(0, 1)

const resources = new AsyncDisposableStack()
let paying: PaymentFixture
let packages: string
before(async () => {
  paying = await startPaying(resources)
  packages = resources.use(
    await mkdtempDisposable(join(tmpdir(), 'broadside-packages-')).then((folder) => ({
      ...folder,
      [Symbol.asyncDispose]: () => folder.remove(),
    })),
  ).path
})
after(() => resources.disposeAsync())

/** How a reader works in a language: what the quickstart says to type, and how to run a program. */
type Way = {
  language: 'ts' | 'python'
  /** Prepares an empty folder, and says what stands for the published package. */
  prepare: (folder: string) => Promise<{ package: string; bin: string }>
  install: string
  file: string
  start: string
}

const ways: Way[] = [
  {
    language: 'ts',
    prepare: async () => ({
      package: `--offline --no-audit --no-fund ${await packTypeScriptClient(packages)}`,
      bin: process.execPath.replace(/\/node$/, ''),
    }),
    install: 'npm install broadside',
    file: 'step.mts',
    start: 'node step.mts',
  },
  {
    language: 'python',
    prepare: async (folder) => {
      // The environment has httpx from the system, because tests have no network.
      await run(systemPython, ['-m', 'venv', '--system-site-packages', join(folder, 'venv')])
      const wheel = await buildPythonClient(packages, systemPython)
      return {
        package: `--no-index --no-deps --quiet --disable-pip-version-check ${wheel}`,
        bin: join(folder, 'venv/bin'),
      }
    },
    install: 'pip install broadside',
    file: 'step.py',
    start: 'python step.py',
  },
]

for (const way of ways)
  test(`a newcomer who follows the quickstart in ${way.language} from an empty folder has a public page`, async (context) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-newcomer-'))
    const installed = await way.prepare(folder.path)
    for (const kind of shownKinds) await follow(context, kind, { ...way, ...installed, folder: folder.path })
  })

async function follow(context: TestContext, kind: Kind, way: Way & { package: string; bin: string; folder: string }) {
  const { baseUrls: sites, accountPageUrl } = paying.service
  const page = String(
    documentPages({ ...exampleDeployment, sites, accountPageUrl }).get(`${kind.site.slug}/docs/quickstart.md`),
  )
  // The text of a post that another account has published would wait for a person, as the page says.
  await paying.service.asOwner('truncate post_signatures')
  const began = performance.now()
  const variables: Record<string, string> = { PATH: `${way.bin}:${process.env['PATH']}` }
  const shell = async (command: string) =>
    (await run('bash', ['-euc', command], { cwd: way.folder, env: { ...process.env, ...variables } })).stdout.trim()
  /** Pastes a block of the page, with the value in place of the three dots. */
  const exportFrom = async (name: string, value = '') => {
    const [block = ''] = new RegExp(`^export ${name}=.*$`, 'm').exec(page) ?? []
    const command = value === '' ? block : block.replace(/'.*'/, `'${value}'`)
    variables[name] = await shell(`${command}\nprintf %s "$${name}"`)
    assert.notEqual(variables[name], '')
  }

  assert.ok(page.includes(`\`\`\`sh\n${way.install}\n\`\`\``), 'the page shows how to install the client')
  assert.ok(page.includes(`\`${way.start}\``), 'the page says how to run a program')
  await shell(way.install.replace('broadside', way.package))
  await exportFrom('BROADSIDE_URL')

  const steps = snippetsOn([[kind.name, page]]).map((set) => set[way.language])
  assert.equal(steps.length, 6)
  const [create, readAccount, check, publish, wait, read] = steps as [string, string, string, string, string, string]
  const paste = async (program: string) => {
    await writeFile(join(way.folder, way.file), program)
    return (await shell(way.start)).split(' ')
  }
  const [apiKey, ownerLink] = await paste(create)
  assert.ok(ownerLink?.startsWith(accountPageUrl))
  await exportFrom('BROADSIDE_API_KEY', apiKey)
  assert.equal((await paste(readAccount))[0], '0')
  await assert.rejects(paste(check), /InsufficientBalanceError/)

  const { body: account } = await paying.service.client(apiKey).getAccount()
  await topUp(paying, { owner: await openOwner(paying.service, account.id) } as Parameters<typeof topUp>[1])
  assert.equal((await paste(readAccount))[0], '5000000')

  assert.deepEqual(await paste(check), [String(kind.priceMicros)])
  const [id, queued] = await paste(publish)
  assert.equal(queued, 'queued')
  assert.equal((await paste(publish))[0], id, 'the key makes it one post')
  await exportFrom('POST_ID', id)
  const [status, url = ''] = await paste(wait)
  assert.equal(status, 'published')
  assert.equal((await paste(read))[0], url)
  await waitFor(async () => (await fetch(url)).status === 200, 'the public page')
  context.diagnostic(`${kind.name} in ${way.language}: ${Math.round((performance.now() - began) / 100) / 10} s`)
}
