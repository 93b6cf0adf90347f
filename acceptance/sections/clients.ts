// Both clients, installed from their packages as a user installs them: README of each client.
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshAccount } from '../accounts.ts'
import { equal, includes, isTime, match } from '../assert.ts'
import { Failure, fixture, section, show } from '../checks.ts'
import { messageText } from '../harmless.ts'
import { sites } from '../targets.ts'

const test = section('clients')

async function run(command: string, args: string[], { cwd, env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const limits = { timeout: 150_000, maxBuffer: 10_000_000 }
  try {
    return (await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env }, ...limits })).stdout
  } catch (error) {
    throw new Failure(`${command} ${args.join(' ')}: ${show(`${error.message} ${error.stdout} ${error.stderr}`, 1000)}`)
  }
}
const folder = () => mkdtemp(join(tmpdir(), 'acceptance-'))

/** The environment that the READMEs name, of an account with some money. */
const environment = fixture('an account for the clients', async () => {
  const { key } = await freshAccount({ micros: 1_000_000 })
  return { BROADSIDE_URL: sites['story'], BROADSIDE_API_KEY: key }
})

const typescript = fixture('the TypeScript client, installed from its package', async () => {
  const cwd = await folder()
  await run('npm', ['run', 'build', '-w', 'broadside'])
  const [{ filename }] = JSON.parse(await run('npm', ['pack', '--json', '-w', 'broadside', '--pack-destination', cwd]))
  await writeFile(join(cwd, 'package.json'), '{"type":"module","private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(cwd, filename)], { cwd })
  return cwd
})
test('typescript: README of the client: publish, waitForDecision, read and a typed error', async () => {
  const cwd = await typescript()
  const program = `
    import { Broadside, InsufficientBalanceError } from 'broadside'
    const client = new Broadside()
    const post = await client.waitForDecision(await client.publish('message', { text: ${JSON.stringify(messageText())} }))
    const { kind } = await client.read(post.id)
    const poor = await client.createAccount({ name: 'Poor', email: 'poor@example.com', accept_terms: true })
    const error = await new Broadside({ apiKey: poor.api_key }).publish('message', { text: 'Hello.' }).catch((error) => error)
    console.log(JSON.stringify({ status: post.status, kind, poor: error instanceof InsufficientBalanceError, url: error.accountUrl }))`
  await writeFile(join(cwd, 'program.js'), program)
  const said = JSON.parse(await run(process.execPath, ['program.js'], { cwd, env: await environment() }))
  equal(`${said.status} ${said.kind} ${said.poor}`, 'published message true', 'what the program prints')
  match(said.url, /\/o\//, 'accountUrl')
})
test('command-line: README of the client: the command publishes and reads', async () => {
  const cwd = await typescript()
  const broadside = async (...words: string[]) =>
    run(join(cwd, 'node_modules/.bin/broadside'), words, { cwd, env: await environment() })
  match(await broadside('--help'), /publish/, '--help')
  const post = JSON.parse(await broadside('post', 'message', '--text', messageText(), '--json'))
  equal(post.status, 'published')
  includes(await broadside('status', post.id), post.id, 'what status prints')
})

test('python: README of the client: publish, wait_for_decision, read and a typed error', async () => {
  const cwd = await folder()
  await run('/usr/bin/python3', ['-m', 'venv', '--system-site-packages', cwd])
  const python = join(cwd, 'bin/python')
  await run('cp', ['-r', 'clients/python', join(cwd, 'source')])
  await run(python, ['-m', 'build', '--wheel', '--no-isolation', '--outdir', cwd, join(cwd, 'source')])
  await run('sh', ['-c', `"${python}" -m pip install --no-index --no-deps "${cwd}"/*.whl`])
  const program = `
import json
from broadside import Broadside, InsufficientBalanceError
with Broadside() as client:
    record = client.wait_for_decision(client.publish("message", {"text": ${JSON.stringify(messageText())}}))
    poor = client.create_account({"name": "Poor", "email": "poor@example.com", "accept_terms": True})
    try:
        Broadside(api_key=poor["api_key"]).publish("message", {"text": "Hello."})
    except InsufficientBalanceError as problem:
        url = problem.account_url
    print(json.dumps({"status": record["status"], "at": client.read(record["id"])["published_at"], "url": url}))`
  const said = JSON.parse(await run(python, ['-c', program], { cwd, env: await environment() }))
  equal(said.status, 'published')
  isTime(said.at)
  match(said.url, /\/o\//, 'account_url')
})
