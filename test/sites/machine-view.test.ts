import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { policy } from '../../src/policy/policy.ts'
import { newcomer, type Service, startService } from '../../tooling/environment/service.ts'
import { textOf } from '../support/pages/read-forms.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service?.[Symbol.asyncDispose]())

test('every call on a post’s page gets the post, and its JSON is the file', async () => {
  const { id, body } = await published()
  const page = await (await fetch(`${service.baseUrl}/p/${id}`, { headers: { accept: 'text/html' } })).text()
  const view = /<details class="machine">.*?<\/details>/s.exec(page)?.[0] ?? ''
  const calls = [...view.matchAll(/<code class="call">(.*?)<\/code>/gs)].map(([, call = '']) => textOf(call))
  assert.equal(calls.length, 3)
  for (const call of calls) assert.ok((await run(call)).includes(body.text), call)
  const file = await (await fetch(`${service.baseUrl}/p/${id}.json`)).text()
  const [, json = ''] = /<pre data-content-trust="untrusted-user-content" dir="ltr">(.*?)<\/pre>/s.exec(view) ?? []
  assert.equal(`${textOf(json)}\n`, file)
  assert.match(
    page,
    new RegExp(`Moderated by rules( and model)? in \\d+ s · <a href="/policy/">policy ${policy.version}</a>`),
  )
})

/** In a shell, as people paste it. */
const run = async (call: string) => (await promisify(execFile)('sh', ['-c', call])).stdout

async function published() {
  const body = { text: 'The last ferry leaves the north quay at ten past one tonight.' }
  const { body: account } = await service.client(undefined, 'message').createAccount(newcomer)
  await service.credit(account.id, 1_000_000)
  const { body: receipt } = await service.client(account.api_key, 'message').submitPost(body as never)
  assert.ok('id' in receipt)
  await service.settle()
  return { id: receipt.id, body }
}
