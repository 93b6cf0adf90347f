import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import {
  type Account,
  isProblem,
  type MessageGetPostAnswer,
  type NewAccount,
  type NewWebhook,
  type PostStatus,
  type QueuedTest,
  type Report,
  type SearchResults,
  type WebhookList,
} from '../../../clients/typescript/src/index.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { prices } from '../../../src/ledger/prices.ts'
import { mcpRevisions } from '../../../src/mcp/protocol/protocol.ts'
import { toolsOf } from '../../../src/mcp/tools/describe-tool.ts'
import { labels } from '../../../src/mcp/tools/trust-labels.ts'
import { newcomer, type Service } from '../../../tooling/environment/service.ts'
import { answerOf, connectMcp, type Era, eras, problemOf, textOf } from '../../support/mcp/mcp-client.ts'
import { seedListedPost } from '../../support/posts/create-post.ts'
import { openWebhookFixture, type WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'
import { verified, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts'

let fixture: WebhookFixture
let service: Service
let receiver: WebhookReceiver
before(async () => {
  fixture = await openWebhookFixture({ documents: true })
  ;({ service, receiver } = fixture)
})
after(() => fixture[Symbol.asyncDispose]())

/** The posts of each protocol version; similar posts would go to review. */
const texts = {
  modern: {
    text: 'The lamplighter museum in Kuopio opens its cellar on Sunday and shows gas burners from before the first tram.',
    words: 'lamplighter burners',
    change: 'Kuopio: the cellar with the gas burners is shown on Monday instead, because the stairs are being painted.',
  },
  legacy: {
    text: 'Beekeepers near Oaxaca report that the jacaranda flowered three weeks early; hives are being moved uphill.',
    words: 'beekeepers jacaranda',
    change: 'Around Oaxaca the hives went back down to the valley, since the early jacaranda bloom ended in the frost.',
  },
} as const

const openingMicros = 1_000_000
const priceMicros = Number(kinds.find(({ name }) => name === 'message')?.priceMicros)
const balanceOf = async (client: Client) => (await answerOf<Account>(client, 'get_account')).balance_micros

type Traveller = { era: Era; account: NewAccount; keyless: Client; keyed: Client }

/** From nothing to an account without money, by tools alone. */
async function arrive(era: Era): Promise<Traveller> {
  const keyless = await connectMcp(service.baseUrl, { era })
  assert.equal((await problemOf(keyless, 'check_message', { text: texts[era].text })).code, 'missing_api_key')
  const account = await answerOf<NewAccount>(keyless, 'create_account', newcomer)
  return { era, account, keyless, keyed: await connectMcp(service.baseUrl, { apiKey: account.api_key, era }) }
}

/** Both say who must act and where, and that page exists. */
async function assertSentToOwner({ era, keyed }: Traveller) {
  const post = { text: texts[era].text }
  for (const tool of ['check_message', 'publish_message']) {
    const problem = await problemOf(keyed, tool, post)
    assert.deepEqual([problem.code, problem.for_human], ['insufficient_balance', true])
    const page = await fetch(String(problem.account_url))
    assert.deepEqual([page.status, new URL(page.url).origin], [200, service.accountPageUrl])
  }
}

/** However often and through whichever interface a key is sent, it stands for one post and one charge. */
async function publishOnce({ era, keyed, account }: Traveller): Promise<string> {
  const post = { text: texts[era].text, topics: ['by-tools'] }
  const trial = await answerOf<object>(keyed, 'check_message', post)
  assert.partialDeepStrictEqual(trial, { dry_run: true, charge: { total_micros: priceMicros } })
  const idempotencyKey = crypto.randomUUID()
  const publish = (body: object) => ({ ...body, idempotency_key: idempotencyKey })
  const first = await answerOf<PostStatus>(keyed, 'publish_message', publish(post))
  assert.equal(first.status, 'queued')
  assert.deepEqual(await answerOf(keyed, 'publish_message', publish(post)), first)
  const overHttp = await service.client(account.api_key).submitPost(post, {}, { idempotencyKey })
  assert.equal(overHttp.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(overHttp.body, first)
  const other = { ...post, text: texts[era].change }
  assert.equal((await problemOf(keyed, 'publish_message', publish(other))).code, 'idempotency_key_reused')
  await assert.rejects(service.client(account.api_key).submitPost(other, {}, { idempotencyKey }), (error) =>
    isProblem(error, 'idempotency_key_reused'),
  )
  assert.equal(await balanceOf(keyed), openingMicros - priceMicros)
  return first.id
}

async function assertPublished({ era, keyed, keyless }: Traveller, id: string) {
  await service.settle()
  const record = await answerOf<PostStatus>(keyed, 'get_post', { id })
  assert.equal(record.status, 'published', JSON.stringify(record))
  const { structuredContent, content, _meta } = await keyless.callTool({
    name: 'search_posts',
    arguments: { q: texts[era].words },
  })
  const found = structuredContent as SearchResults
  assert.deepEqual(
    found.data.map((post) => [post.id, post.kind === 'message' && post.content.text]),
    [[id, texts[era].text]],
  )
  assert.deepEqual(JSON.parse(textOf(content)), found)
  assert.equal(found.content_trust, 'untrusted-user-content')
  assert.partialDeepStrictEqual(_meta, labels.result)
  assert.partialDeepStrictEqual(content[0]?._meta, labels.block)
}

async function takeWebhook({ era, keyed }: Traveller) {
  const path = `/tools-${era}`
  const webhook = await answerOf<NewWebhook>(keyed, 'create_webhook', { url: receiver.url(path) })
  const listed = await answerOf<WebhookList>(keyed, 'list_webhooks')
  assert.deepEqual(
    listed.data.map(({ id, url }) => [id, url]),
    [[webhook.id, receiver.url(path)]],
  )
  const queued = await answerOf<QueuedTest>(keyed, 'test_webhook', { id: webhook.id })
  const [delivery] = await receiver.untilReceived(path, 1)
  assert.ok(delivery)
  assert.equal(delivery.headers['webhook-id'], queued.event_id)
  assert.partialDeepStrictEqual(verified(webhook.secret, delivery), { data: { endpoint_id: webhook.id } })
  await answerOf(keyed, 'delete_webhook', { id: webhook.id })
  assert.deepEqual((await answerOf<WebhookList>(keyed, 'list_webhooks')).data, [])
}

async function changeAndDelete({ era, keyed, keyless }: Traveller, id: string) {
  const { change } = texts[era]
  await answerOf(keyed, 'edit_post', { id, text: change, idempotency_key: crypto.randomUUID() })
  await service.settle()
  const record = await answerOf<PostStatus>(keyed, 'get_post', { id })
  assert.equal(record.edit?.status, 'accepted', JSON.stringify(record))
  const shown = await answerOf<MessageGetPostAnswer>(keyless, 'get_post', { id })
  assert.equal('content' in shown && shown.content.text, change)
  assert.equal((await answerOf<PostStatus>(keyed, 'delete_post', { id })).status, 'deleted')
  assert.equal((await problemOf(keyless, 'get_post', { id })).code, 'post_gone')
  assert.equal(await balanceOf(keyed), openingMicros - priceMicros - prices.editMicros)
}

for (const era of eras)
  test(`from no account to a post that is published, found, reported, edited and deleted (${era})`, async () => {
    const traveller = await arrive(era)
    await assertSentToOwner(traveller)
    await service.credit(traveller.account.id, openingMicros)
    const id = await publishOnce(traveller)
    await assertPublished(traveller, id)
    const report = { post_id: id, category: 'other', detail: 'The opening day may be wrong.' }
    assert.equal((await answerOf<Report>(traveller.keyless, 'report_post', report)).status, 'received')
    await takeWebhook(traveller)
    await changeAndDelete(traveller, id)
  })

test('on every site, the example of its kind is checked and published', async () => {
  const { api_key: apiKey } = await service.createCustomer()
  const posted = await Promise.all(
    kinds.map(async ({ name, examples: [example] }) => {
      const client = await connectMcp(String(service.baseUrls[name]), { apiKey })
      const body = example as Record<string, unknown>
      assert.partialDeepStrictEqual(await answerOf(client, `check_${name}`, body), { dry_run: true, kind: name })
      const { id } = await answerOf<PostStatus>(client, `publish_${name}`, body)
      return { client, id }
    }),
  )
  await service.settle()
  for (const { client, id } of posted)
    assert.equal((await answerOf<PostStatus>(client, 'get_post', { id })).status, 'published')
})

type Card = { remotes: { url: string; supportedProtocolVersions: string[] }[]; capabilities: object }

async function jsonAt(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { accept: 'application/json' } })
  assert.equal(response.status, 200, address)
  return response.json()
}

for (const era of eras)
  suite(`how the server describes itself (${era})`, () => {
    const connections = () =>
      Promise.all(service.sites.map(async (site) => ({ ...site, client: await connectMcp(site.baseUrl, { era }) })))

    test('matches the server card, at both addresses', async () => {
      for (const { baseUrl, client } of await connections()) {
        const card = (await jsonAt(`${baseUrl}/mcp/server-card`)) as Card
        assert.deepEqual(await jsonAt(`${baseUrl}/.well-known/mcp/server-card.json`), card)
        const { name, version, title, websiteUrl } = client.getServerVersion() ?? {}
        assert.partialDeepStrictEqual(card, { name, version, title, websiteUrl, serverInfo: { name, version, title } })
        assert.deepEqual(card.capabilities, client.getServerCapabilities())
        const [remote] = card.remotes
        assert.equal(remote?.url, `${baseUrl}/mcp`)
        assert.deepEqual(remote.supportedProtocolVersions, mcpRevisions)
      }
    })

    test('its resources are the documents at the same addresses', async () => {
      for (const { baseUrl, client } of await connections()) {
        const { resources } = await client.listResources()
        assert.deepEqual(
          resources.map(({ name }) => name),
          ['policy', 'prices', 'problems'],
        )
        const { type } = await problemOf(client, 'get_account')
        const { resourceTemplates } = await client.listResourceTemplates()
        assert.deepEqual(
          resourceTemplates.map(({ uriTemplate }) => uriTemplate.replace('{code}', 'missing_api_key')),
          [type],
        )
        assert.ok(type.startsWith(baseUrl))
        for (const uri of [...resources.map((resource) => resource.uri), type]) {
          const { contents } = await client.readResource({ uri })
          const [document] = contents
          assert.ok(document && 'text' in document && contents.length === 1)
          assert.deepEqual(JSON.parse(document.text), await jsonAt(uri))
        }
      }
    })

    test('its prompt guides a newcomer through the tools of the site', async () => {
      for (const { kind, operations, client } of await connections()) {
        const { prompts } = await client.listPrompts()
        assert.deepEqual(
          prompts.map(({ name }) => name),
          ['publish_a_post'],
        )
        const given = { name: 'publish_a_post', arguments: { about: 'the tides of next week' } }
        const { messages } = await client.getPrompt(given)
        const text = textOf(messages.map(({ content }) => content))
        assert.ok(text.includes('the tides of next week'))
        const tools = toolsOf(kind, operations).map(({ tool }) => tool.name)
        const named = [...text.matchAll(/\b(?:get|create|check|publish)_[a-z]+\b/g)].map(([name]) => name)
        assert.ok(named.includes(`publish_${kind.name}`))
        assert.deepEqual(
          named.filter((name) => !tools.includes(name)),
          [],
        )
      }
    })
  })

test('the client validates every response that needs no key against the schema of its tool', async () => {
  const { id: accountId } = await service.createAccount()
  for (const { kind, baseUrl, operations } of service.sites) {
    const body = kind.body.parse(kind.examples[1])
    const id = await seedListedPost(service, { kind: kind.name, body, publishedAt: service.clock.now(), accountId })
    const [word] = String(kind.texts(body)[0]?.text).match(/\p{L}{5,}/u) ?? []
    const given: Record<string, object> = {
      search_posts: { q: word, kind: kind.name },
      get_post: { id },
      find_place: { q: 'Lisbon' },
    }
    const tools = toolsOf(kind, operations)
      .filter(({ tool, operation }) => operation.access === 'anyone' && tool.annotations.readOnlyHint)
      .map(({ tool }) => tool.name)
    assert.ok(tools.length >= 6)
    for (const era of eras) {
      const client = await connectMcp(baseUrl, { era })
      for (const tool of tools) {
        const answer = await answerOf<{ data?: unknown[] }>(client, tool, { ...given[tool] })
        assert.notDeepEqual(answer.data, [], `${tool} has something to show`)
      }
    }
  }
})
