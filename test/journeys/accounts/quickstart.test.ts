import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { documentPages } from '../../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../../src/documents/site-documents.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { startService } from '../../../tooling/environment/service.ts'

const run = promisify(execFile)

test('a newcomer who pastes the quickstart commands has a published post', async () => {
  await using service = await startService({ judges: true })
  const { baseUrls: sites, accountPageUrl } = service
  const pages = documentPages({ ...exampleDeployment, sites, accountPageUrl })
  for (const kind of kinds) {
    const commands = commandsOf(String(pages.get(`${kind.site.slug}/docs/quickstart.md`)))
    await using folder = await scratchFolder()
    const paste = async (command: string, env: NodeJS.ProcessEnv = {}) => {
      const { stdout } = await run('bash', ['-euc', command], { cwd: folder.path, env: { ...process.env, ...env } })
      return stdout === '' ? null : JSON.parse(stdout)
    }
    // The first commands install a client.
    const [, , , createAccount, , getAccount, dryRun, submit, , poll, read] = commands as string[]
    const { id, api_key: BROADSIDE_API_KEY, account_url } = await paste(String(createAccount))
    assert.ok(account_url.startsWith(accountPageUrl))
    assert.equal((await paste(String(getAccount), { BROADSIDE_API_KEY })).balance_micros, 0)
    assert.equal((await paste(String(dryRun), { BROADSIDE_API_KEY })).code, 'insufficient_balance')
    await service.credit(id, 5_000_000)

    assert.equal((await paste(String(dryRun), { BROADSIDE_API_KEY })).charge.post_micros, kind.priceMicros)
    const { id: POST_ID, status } = await paste(String(submit), { BROADSIDE_API_KEY })
    assert.equal(status, 'queued')
    assert.equal((await paste(String(submit), { BROADSIDE_API_KEY })).id, POST_ID, 'the key makes it one post')
    await service.settle()
    assert.equal((await paste(String(poll), { BROADSIDE_API_KEY, POST_ID })).status, 'published')
    assert.equal((await paste(String(read), { POST_ID })).id, POST_ID)
  }
})

const commandsOf = (page: string): string[] =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => String(block))

async function scratchFolder() {
  const path = await mkdtemp(join(tmpdir(), 'broadside-quickstart-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}
