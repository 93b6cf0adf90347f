import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { compiledOnce, pythonEnvironment, runCommandLine } from '../../tooling/clients/command-line.ts'
import { checkTypes, installClient } from '../../tooling/clients/install-client.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'

const run = promisify(execFile)
const python = process.env['PYTHON'] ?? '/usr/bin/python3'
let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

test('init writes an agent in TypeScript that publishes', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-init-'))
  const cwd = join(folder.path, 'My Agent')
  await write(cwd, 'typescript', ['.env.example', '.gitignore', 'README.md', 'agent.ts', 'package.json'])
  const manifest = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'))
  assert.equal(manifest.name, 'my-agent')
  await installClient(cwd)
  await checkTypes(cwd, ['agent.ts'])
  await publishes([process.execPath, 'agent.ts'], cwd)
})

test('init writes an agent in Python that publishes', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-init-'))
  const cwd = join(folder.path, 'agent')
  await write(cwd, 'python', ['.env.example', '.gitignore', 'README.md', 'agent.py', 'requirements.txt'])
  await publishes([python, 'agent.py'], cwd)
})

async function write(cwd: string, language: string, files: string[]) {
  const args = ['init', cwd, '--language', language, '--url', service.baseUrl, '--json']
  const { code, stdout } = await runCommandLine(args, { env: { XDG_CONFIG_HOME: cwd } })
  assert.deepEqual([code, JSON.parse(stdout).files.sort()], [0, files])
  assert.deepEqual((await readdir(cwd)).sort(), files)
  assert.match(await readFile(join(cwd, '.env.example'), 'utf8'), new RegExp(`^BROADSIDE_URL=${service.baseUrl}$`, 'm'))
  const again = await runCommandLine(args, { env: {} })
  assert.deepEqual([again.code, JSON.parse(again.stdout).code], [2, 'folder_not_usable'])
}

async function publishes([program = '', file = '']: string[], cwd: string) {
  const start = async (apiKey: string, text: string) => {
    const env = {
      ...{ BROADSIDE_URL: service.baseUrl, BROADSIDE_API_KEY: apiKey },
      ...{ ...compiledOnce, ...pythonEnvironment },
    }
    const done = run(program, [file, ...(text ? [text] : [])], { cwd, env })
    return done.then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      ({ code, stdout, stderr }) => ({ code: code as number, output: `${stdout}${stderr}` }),
    )
  }
  const { api_key } = await service.createCustomer()
  const published = await start(api_key, `The ferry leaves from pier ${crypto.randomUUID()}`)
  assert.equal(published.code, 0, published.output)
  assert.match(published.output, /http:\/\/localhost:\d+\/p\/post_\w+\n$/)
  assert.match((await start(api_key, 'verdict-low-quality')).output, /rejected/)
  assert.match((await start(api_key, '')).output, /Pass the text of the post/)
  const poor = await start((await service.createAccount()).api_key, 'The ferry is late today.')
  assert.equal(poor.code, 1)
  assert.match(poor.output, /insufficient_balance[\s\S]*http:\/\/localhost:\d+\//)
}
