// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { documentPages } from '../../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../../src/documents/site-documents.ts'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { repoDir, waitFor } from '../../../tooling/services/state.ts'
import { isWhole } from '../../../tooling/test-length.ts'
import { type PaymentFixture, startPaying, topUp } from '../../support/money/payment-fixture.ts'
import { snippetsOn, systemPython } from '../../support/pages/run-snippets.ts'

const run = promisify(execFile)
const shownKinds = isWhole ? kinds : kinds.slice(0, 1)

const resources = new AsyncDisposableStack()
let paying: PaymentFixture
before(async () => {
  paying = await startPaying(resources)
})
after(() => resources.disposeAsync())

/** How a reader works in a language: what the quickstart says to type, and how to run a program. */
type Way = { language: 'ts' | 'python'; install: string; file: string; start: string }

const ways: Way[] = [
  {
    language: 'ts',
    install: 'npm install ../broadside/clients/typescript',
    file: 'step.mts',
    start: 'node step.mts',
  },
  {
    language: 'python',
    install: 'pip install ../broadside/clients/python',
    file: 'step.py',
    start: 'python step.py',
  },
]

/** Makes the checkout that the quickstart asks for, with the built client, and a Python of the reader’s own. */
async function prepare(folder: string) {
  const clients = join(folder, 'broadside/clients')
  const isSource = (path: string) => !/\/(dist|node_modules)$/.test(path)
  await cp(join(repoDir, 'clients'), clients, { recursive: true, filter: isSource })
  await symlink(join(repoDir, 'node_modules'), join(folder, 'broadside/node_modules'))
  await run('npm', ['run', 'build'], { cwd: join(clients, 'typescript') })
  // The environment has httpx and flit from the system, because tests have no network.
  await run(systemPython, ['-m', 'venv', '--system-site-packages', join(folder, 'venv')])
  await mkdir(join(folder, 'agent'))
}

const withoutNetwork = {
  ...{ npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' },
  // pip reads "no" here as "no build isolation".
  ...{ PIP_NO_INDEX: '1', PIP_NO_DEPS: '1', PIP_NO_BUILD_ISOLATION: 'no', PIP_DISABLE_PIP_VERSION_CHECK: '1' },
}

for (const way of ways)
  test(`a newcomer who follows the quickstart in ${way.language} from an empty folder has a public page`, async (context) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-newcomer-'))
    await prepare(folder.path)
    for (const kind of shownKinds) await follow(context, kind, { ...way, home: folder.path })
  })

async function follow(context: TestContext, kind: Kind, way: Way & { home: string }) {
  const { baseUrls: sites, accountPageUrl } = paying.service
  const page = String(
    documentPages({ ...exampleDeployment, sites, accountPageUrl }).get(`${kind.site.slug}/docs/quickstart.md`),
  )
  // The text of a post that another account has published would wait for a person, as the page says.
  await paying.service.asOwner('truncate post_signatures')
  const began = performance.now()
  const folder = join(way.home, 'agent')
  const PATH = [join(way.home, 'venv/bin'), dirname(process.execPath), process.env['PATH']].join(':')
  const variables: Record<string, string> = { ...withoutNetwork, PATH }
  const shell = async (command: string) =>
    (await run('bash', ['-euc', command], { cwd: folder, env: { ...process.env, ...variables } })).stdout.trim()
  /** Pastes a block of the page, with the value in place of the three dots. */
  const exportFrom = async (name: string, value = '') => {
    const [block = ''] = new RegExp(`^export ${name}=.*$`, 'm').exec(page) ?? []
    const command = value === '' ? block : block.replace(/'.*'/, `'${value}'`)
    variables[name] = await shell(`${command}\nprintf %s "$${name}"`)
    assert.notEqual(variables[name], '')
  }

  assert.ok(page.includes(`\`\`\`sh\n${way.install}\n\`\`\``), 'the page shows how to install the client')
  assert.ok(page.includes(`\`${way.start}\``), 'the page says how to run a program')
  await shell(way.install)
  await exportFrom('BROADSIDE_URL')

  const steps = snippetsOn([[kind.name, page]]).map((set) => set[way.language])
  assert.equal(steps.length, 6)
  const [create, readAccount, check, publish, wait, read] = steps as [string, string, string, string, string, string]
  const paste = async (program: string) => {
    await writeFile(join(folder, way.file), program)
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
