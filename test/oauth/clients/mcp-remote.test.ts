import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { quietPort } from '../../../tooling/services/state.ts'
import { ask, signedIn } from '../../support/oauth/sign-in.ts'

let service: Service
let session: string
before(async () => {
  service = await startService({ judges: true })
  const account = await service.createCustomer()
  session = (await openOwner(service, account.id)).token
})
after(() => service?.[Symbol.asyncDispose]())

const program = join(dirname(createRequire(import.meta.url).resolve('mcp-remote/package.json')), 'dist', 'client.js')

/** Resolves with the first match in what the program writes. */
function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
  let text = ''
  const look = (chunk: Buffer) => {
    text += chunk
    const found = pattern.exec(text)
    if (found) resolve(found)
  }
  child.stdout?.on('data', look)
  child.stderr?.on('data', look)
  child.on('exit', (code) => reject(new Error(`mcp-remote ended with ${code}:\n${text}`)))
  return promise
}

/** Starts the program without a browser: with an empty path, it finds none to open. */
async function start(stack: AsyncDisposableStack, ...flags: string[]): Promise<ChildProcess> {
  const home = stack.use(await mkdtempDisposable(join(tmpdir(), 'broadside-mcp-remote-')))
  const arguments_ = [program, `${service.accountPageUrl}/mcp`, String(await quietPort()), '--allow-http', ...flags]
  const child = spawn(process.execPath, arguments_, {
    env: { HOME: home.path, MCP_REMOTE_CONFIG_DIR: home.path, PATH: '' },
  })
  stack.defer(() => void child.kill('SIGKILL'))
  return child
}

const choice = { decision: 'allow', posting: 'publish', cap: '1.00' }

test('mcp-remote signs in through a browser and lists the tools', async () => {
  await using stack = new AsyncDisposableStack()
  const child = await start(stack, '--host', '127.0.0.1', '--auth-timeout', '120')
  const tools = printed(child, /publish_post/)
  const [, url = ''] = await printed(child, /(http:\/\/localhost:\d+\/oauth\/authorize\?\S+)\s/)
  const browser = signedIn(service, session)
  const decided = await browser.submit(await ask(browser, new URL(url).searchParams), choice)
  assert.equal(decided.status, 303, decided.page)
  assert.equal((await fetch(String(decided.location))).status, 200)
  await tools
  const [app] = await service.asOwner<{ client_host: string }>('select client_host from api_keys order by id desc')
  assert.equal(app?.client_host, 'this computer')
})

test('mcp-remote signs in from a terminal, with a code that the owner enters elsewhere', async () => {
  await using stack = new AsyncDisposableStack()
  const child = await start(stack, '--device-code')
  const tools = printed(child, /publish_post/)
  const [, code = ''] = await printed(child, /\b([B-Z]{4}-[B-Z]{4})\b/)
  const browser = signedIn(service, session)
  const entered = await browser.submit('/device', { code })
  assert.equal(entered.status, 303, entered.page)
  const page = await browser.get(String(entered.location))
  assert.match(page.page, /Continue only if you started this yourself/)
  assert.equal((await browser.submit(String(entered.location), choice)).location, '/connect/device-connected')
  await tools
})
