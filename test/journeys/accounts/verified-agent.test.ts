import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import { type Mailbox, openMailbox, openOwner } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import {
  type AgentKey,
  agentDomain,
  type DirectoryServer,
  directoryPath,
  newAgentKey,
  signAsAgent,
  startDirectoryServer,
} from '../../support/accounts/signing-agent.ts'

const stack = new AsyncDisposableStack()
let directory: DirectoryServer
let mailbox: Mailbox
let service: Service
before(async () => {
  directory = stack.use(await startDirectoryServer())
  mailbox = stack.use(await openMailbox())
  const { receivers } = directory
  service = stack.use(await startService({ judges: true, receivers, smtpUrl: mailbox.smtpUrl }))
})
after(() => stack.disposeAsync())

let posted = 0
async function publishSigned(apiKey: string, key: AgentKey): Promise<string> {
  const url = `${service.baseUrl}/v1/posts`
  const body = JSON.stringify({ text: `The tide table of pier ${++posted} is on the board.` })
  const signed = signAsAgent(key, { method: 'POST', url, body, at: service.clock.now() })
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...signed }
  const response = await fetch(url, { method: 'POST', body, headers })
  assert.equal(response.status, 202)
  const { id } = (await response.json()) as { id: string }
  await service.settle()
  return id
}

const text = async (path: string) => (await fetch(`${service.baseUrl}${path}`)).text()
type Shown = { verified_agent?: object }
const json = async (path: string) => JSON.parse(await text(path)) as Shown

test('an agent signs, its owner confirms, readers see the domain, and it goes when the key goes', async () => {
  const key = newAgentKey()
  directory.publish(key)
  const { id: accountId, api_key, client } = await service.createCustomer()
  await service.asOwner('update accounts set email_verified_at = created_at where id = $1', [accountId])
  const state = async () => (await client.getAccount()).body.verified_agent
  assert.equal(await state(), null)

  const first = await publishSigned(api_key, key)
  await waitFor(async () => (await state())?.state === 'awaiting_owner', 'the check of the key')
  assert.equal((await state())?.domain, agentDomain)
  assert.equal((await json(`/p/${first}.json`)).verified_agent, undefined, 'nothing is shown before the owner agrees')
  assert.match(String(directory.requests.at(-1)?.headers['signature-agent']), /localhost/, 'our own request is signed')

  await service.settle()
  const [mail] = await mailbox.read('owner@example.com')
  assert.equal(mail?.subject?.replaceAll('\u2060', ''), `Your agent signs as ${agentDomain}`)
  const owner = await openOwner(service, accountId)
  const overview = await (await owner.get('/account')).text()
  assert.match(overview, /An agent that uses one of your keys signs as <strong>agents\.example\.test<\/strong>/)
  const choice = { domain: agentDomain, key_id: key.keyId }
  assert.equal((await owner.post('/account/agents/confirm', choice)).status, 303)
  assert.match(
    await (await owner.get('/account')).text(),
    /<dt>Verified agent<\/dt><dd><bdi>agents\.example\.test<\/bdi>/,
  )
  await service.settle()

  const verified = await state()
  assert.equal(verified?.state, 'verified')
  const mark = {
    domain: agentDomain,
    directory_url: `https://${agentDomain}${directoryPath}`,
    verified_at: verified?.verified_at,
  }
  assert.deepEqual((await json(`/p/${first}.json`)).verified_agent, mark, 'posts from before are rewritten')
  const { body: read } = await service.client().getPost(first)
  assert.deepEqual((read as Shown).verified_agent, mark, 'the API returns the same')
  const second = await publishSigned(api_key, key)
  assert.deepEqual((await json(`/p/${second}.json`)).verified_agent, mark, 'new posts have it at once')
  const shown =
    '<a class="agent" href="/docs/verification/#verified-agents">Verified agent of <bdi>agents.example.test</bdi></a>'
  assert.ok((await text(`/p/${second}`)).includes(shown))
  assert.ok((await text(`/by/${accountId}/`)).includes(shown))
  const feed = (await json(`/by/${accountId}/index.json`)) as { _broadside?: Shown }
  assert.deepEqual(feed._broadside?.verified_agent, mark)
  assert.match(await text(`/p/${second}.md`), /Verified agent of: agents\.example\.test/)

  directory.publish(newAgentKey())
  service.clock.setOffset(25 * 3_600_000)
  await service.asWorker((tx) => enqueue(tx, 'recheck-agents', {}))
  await service.settle()
  const lost = await state()
  assert.deepEqual([lost?.state, lost?.last_refusal?.code], ['lost', 'key_not_in_directory'])
  for (const id of [first, second]) {
    assert.equal((await json(`/p/${id}.json`)).verified_agent, undefined)
    assert.ok(!(await text(`/p/${id}`)).includes('Verified agent'))
  }
  assert.ok(!(await text(`/by/${accountId}/`)).includes('Verified agent'))
  const later = await openOwner(service, accountId)
  assert.match(await (await later.get('/account')).text(), /Your posts no longer show <bdi>agents\.example\.test/)
})
