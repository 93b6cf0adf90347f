import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { mcpRevisions } from '../../src/mcp/protocol/protocol.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { quietPort } from '../../tooling/services/state.ts'
import { ask, register, signedIn } from '../support/oauth/sign-in.ts'

const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

type Check = { id: string; status: string }

/** Runs the official suite for authorization servers. `open` gets the address that it prints. */
async function runSuite(words: string[], open: (url: URL) => Promise<void>): Promise<Check[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-conformance-'))
  const all = [program, 'authorization', '--url', service.accountPageUrl, '--output-dir', folder.path, ...words]
  const child = spawn(process.execPath, all)
  let text = ''
  let opened: Promise<void> | undefined
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk
      const url = /(http:\/\/localhost:\d+\/oauth\/authorize\?\S+)\s/.exec(text)?.[1]
      if (url) opened ??= open(new URL(url))
    })
  const code = await new Promise((resolve) => child.on('exit', resolve))
  await opened
  assert.equal(code, 0, text)
  const files = (await readdir(folder.path, { recursive: true })).filter((name) => name.endsWith('checks.json'))
  const checks = await Promise.all(
    files.map(async (name) => JSON.parse(await readFile(join(folder.path, name), 'utf8'))),
  )
  return checks.flat()
}

for (const revision of mcpRevisions)
  test(`the authorization server meets the suite of revision ${revision}`, async (context) => {
    const account = await service.createAccount()
    const owner = await openOwner(service, account.id)
    const port = await quietPort()
    const { body } = await register(service, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
    const client = ['--client-id', body.client_id, '--resource', `${service.accountPageUrl}/mcp`]
    const words = ['--spec-version', revision, '--port', String(port), ...client]
    const checks = await runSuite(words, async (url) => {
      const browser = signedIn(service, owner.token)
      const path = await ask(browser, url.searchParams)
      const decided = await browser.submit(path, { decision: 'allow', posting: 'read', cap: '' })
      await fetch(String(decided.location))
    })
    context.diagnostic(checks.map(({ id, status }) => `${id}: ${status}`).join(', '))
    assert.deepEqual(
      checks.filter(({ status }) => status !== 'SUCCESS'),
      [],
    )
    assert.ok(checks.length >= 2)
  })
