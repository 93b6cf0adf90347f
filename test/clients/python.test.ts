// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { promisify } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }
import { pythonEnvironment } from '../../tooling/clients/command-line.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { repoDir, stateDir } from '../../tooling/services/state.ts'
import { isWhole, nightly } from '../../tooling/test-length.ts'
import { startPaying, topUp } from '../support/money/payment-fixture.ts'
import { startWebhookReceiver } from '../support/webhooks/webhook-receiver.ts'

const run = promisify(execFile)
const { version } = packageFile
const project = join(repoDir, 'clients/python')
/** The system's Python, because another one that comes first in the PATH does not see the system's packages. */
const python = process.env['PYTHON'] ?? '/usr/bin/python3'
const env = {
  ...process.env,
  PYTHONPYCACHEPREFIX: pythonEnvironment.PYTHONPYCACHEPREFIX,
  // The first run of mypy takes half a minute, later ones a second.
  MYPY_CACHE_DIR: join(stateDir(), 'mypy'),
}
const inProject = (...command: string[]) => run(python, command, { cwd: project, env })

test('the Python client has complete types', nightly, async () => {
  const { stdout } = await inProject('-m', 'mypy', 'src', 'tests')
  assert.match(stdout, /^Success: no issues found in \d+ source files\n$/)
})

/** These start mypy. */
const aboutTypes = [
  'tests/package/test_types.py',
  'tests/package/test_readme.py::test_the_programs_of_the_readme_have_correct_types',
]

test('the tests of the Python client pass', async () => {
  const leftOut = isWhole ? [] : aboutTypes.map((name) => `--deselect=${name}`)
  const { stdout } = await inProject('-m', 'pytest', '-q', ...leftOut)
  assert.match(stdout, /\d+ passed(?:, 2 deselected)? in /)
  assert.doesNotMatch(stdout, /skipped|warning/)
})

test('the Python package can be built, checked, installed and imported', nightly, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-python-'))
  const [dist, venv] = [join(folder.path, 'dist'), join(folder.path, 'venv')]
  await inProject('-m', 'build', '--no-isolation', '--outdir', dist)
  const files = (await readdir(dist)).sort()
  assert.deepEqual(files, [`broadside-${version}-py3-none-any.whl`, `broadside-${version}.tar.gz`])
  const paths = files.map((file) => join(dist, file))
  const checked = await inProject('-m', 'twine', 'check', '--strict', ...paths)
  assert.equal(checked.stdout.match(/PASSED/g)?.length, 2, checked.stdout)

  await run(python, ['-m', 'venv', '--system-site-packages', venv], { env })
  const wheel = String(paths.find((path) => path.endsWith('.whl')))
  const quiet = ['install', '--quiet', '--no-index', '--no-deps', '--disable-pip-version-check']
  await run(join(venv, 'bin/pip'), [...quiet, wheel], { env })
  const program = [
    'import broadside, pathlib',
    'folder = pathlib.Path(broadside.__file__).parent',
    'assert str(folder).startswith(str(pathlib.Path(".").resolve())), folder',
    'assert (folder / "py.typed").exists()',
    'print(broadside.__version__)',
  ]
  const imported = await run(join(venv, 'bin/python'), ['-c', program.join('\n')], { cwd: folder.path, env })
  assert.equal(imported.stdout, `${version}\n`)
})

type Need = { need: string; account: string; path: string }

test('both Python clients publish, wait, edit, search, receive webhooks and delete', async () => {
  await using stack = new AsyncDisposableStack()
  const receiver = stack.use(await startWebhookReceiver())
  const { zone, authorities } = receiver
  const paying = await startPaying(stack, { receivers: { zone, certificateAuthorities: authorities } })
  const { service } = paying
  const help: Record<string, (need: Need) => Promise<object>> = {
    top_up: async ({ account }) => {
      const owner = await openOwner(service, account)
      return topUp(paying, { owner } as Parameters<typeof topUp>[1])
    },
    settle: async () => ({ done: await service.settle() }),
    receiver: async ({ path }) => ({ url: receiver.url(path) }),
    delivery: async ({ path }) => {
      const [delivery] = await receiver.untilReceived(path, 1)
      return { headers: delivery?.headers, body: delivery?.body }
    },
  }
  const child = spawn(python, ['-m', 'tests.journey'], {
    cwd: project,
    env: { ...env, PYTHONPATH: 'src', SITES: JSON.stringify(service.baseUrls) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  stack.defer(() => void child.kill())
  const exit = once(child, 'exit')
  const errors = child.stderr.toArray()
  let last = ''
  for await (const line of createInterface(child.stdout)) {
    const need = JSON.parse(line) as Need
    last = need.need
    if (last !== 'nothing') child.stdin.write(`${JSON.stringify(await help[last]?.(need))}\n`)
  }
  const [code] = await exit
  assert.deepEqual([code, last], [0, 'nothing'], (await errors).join(''))
})
