import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { type CallableTool, toolsOf } from '../../src/mcp/tools/describe-tool.ts'
import { operationsOf } from '../../src/operations.ts'
import { newcomer, type Service, startService } from '../../tooling/environment/service.ts'
import { type Injected, injected, injectedBody } from '../../tooling/fixtures/injections.ts'
import { type Era, eras } from '../support/mcp/mcp-client.ts'
import { askMcp, labelled, type McpRequest, type OneMessage } from '../support/mcp/raw-mcp.ts'
import { seedListedPost } from '../support/posts/create-post.ts'

type Post = { id: string; kind: Kind; by: Injected; content: object }

let service: Service
let posts: Post[]
/** The author of these posts, by the word that marks them; and another account. */
const keys = new Map<string, string>()
let strangersKey: string
before(async () => {
  service = await startService()
  strangersKey = (await service.createAccount()).api_key
  posts = (await Promise.all(injected.map(publish))).flat()
})
after(() => service[Symbol.asyncDispose]())

/** One account with that name and a post of every kind. Whether a judge would publish them does not matter here. */
async function publish(by: Injected, number: number): Promise<Post[]> {
  const { body: account } = await service.client().createAccount({ ...newcomer, name: by.authorName })
  assert.equal(account.name, by.authorName)
  keys.set(by.marker, account.api_key)
  const publishedAt = new Date(service.clock.now().getTime() - number * 60_000)
  return Promise.all(
    kinds.map(async (kind) => {
      const body = injectedBody(kind, by)
      const content = kind.body.parse(body)
      assert.deepEqual({ ...content, ...body }, content, 'intake takes the texts as they are')
      const id = await seedListedPost(service, { kind: kind.name, body, publishedAt, accountId: account.id })
      return { id, kind, by, content }
    }),
  )
}

const siteOf = (kind: Kind) => String(service.baseUrls[kind.name])

/** Every response, with the texts of its posts removed: none of those texts may occur in the rest. */
const heard: string[] = []

async function ask(kind: Kind, era: Era, request: McpRequest): Promise<OneMessage> {
  const answer = await askMcp(siteOf(kind), era, request)
  heard.push(JSON.stringify([...answer.headers]), JSON.stringify(withoutPosts(answer.message)))
  return answer
}

const callTool = (kind: Kind, era: Era, name: string, given: unknown, apiKey?: string) =>
  ask(kind, era, { method: 'tools/call', params: { name, arguments: given }, ...(apiKey && { apiKey }) })

/** Removes `content` of every post, and the text block, which repeats it. */
function withoutPosts({ result, ...message }: OneMessage['message']): unknown {
  if (!result?.['structuredContent']) return { ...message, result }
  const content = (result['content'] as object[]).map((block) => ({ ...block, text: '' }))
  const taken = (name: string, value: unknown) => (name === 'content' ? undefined : value)
  return { ...message, ...result, structuredContent: JSON.stringify(result['structuredContent'], taken), content }
}

/** Some are so short that they occur in any JSON; the word that marks them does not. */
const traces = injected.flatMap(({ marker, injection }) => [
  marker,
  ...(injection.length > 20 ? [injection, JSON.stringify(injection).slice(1, -1)] : []),
])

function assertNoTrace(text: string) {
  const found = traces.find((trace) => text.includes(trace))
  assert.equal(found, undefined, `${found} stands in ${text.slice(0, 500)}`)
}

type Shown = { id: string; content_trust: string; content: object & { author: object; attribution: string } }
type Page = { data: Shown[]; content_trust: string }

function assertShows({ content, content_trust }: Shown, { by, kind, content: stored, id }: Post) {
  assert.equal(content_trust, 'untrusted-user-content')
  const attribution = `${by.authorName} on ${kind.site.title}, ${siteOf(kind)}/p/${id}, CC BY 4.0`
  assert.deepEqual(content, { ...stored, author: { name: by.authorName }, attribution })
}

function assertShowsAll(page: Page, wanted: readonly Post[]) {
  assert.deepEqual(page.data.map(({ id }) => id).sort(), wanted.map(({ id }) => id).sort())
  for (const post of wanted) assertShows(page.data.find(({ id }) => id === post.id) as Shown, post)
}

for (const era of eras)
  suite(`a post that imitates a message, a call or an instruction, by tools, ${era}`, () => {
    test('is returned as stored, in its field and with its labels', async () => {
      await inTurns(posts, async (post) =>
        assertShows(labelled(await callTool(post.kind, era, 'get_post', { id: post.id })), post),
      )
    })

    test('is found the same way, among posts of every kind', async () => {
      await inTurns(injected, async (by, number) => {
        const answer = await callTool(kindAt(number), era, 'search_posts', { q: by.marker })
        const own = posts.filter((post) => post.by === by)
        assertShowsAll(labelled(answer), own)
      })
    })

    test('is listed the same way, and does not affect other posts', async () => {
      for (const kind of kinds) {
        const page = labelled<Page>(await callTool(kind, era, 'browse_posts', { limit: 100 }))
        const own = posts.filter((post) => post.kind === kind)
        assertShowsAll(page, own)
      }
    })

    test('is labelled as untrusted by the tools that return it', async () => {
      for (const kind of kinds) {
        const { message } = await ask(kind, era, { method: 'tools/list' })
        const tools = (message.result as { tools: CallableTool['tool'][] }).tools
        for (const name of ['search_posts', 'browse_posts', 'get_post']) {
          const tool = tools.find((each) => each.name === name)
          assert.equal(tool?.annotations.openWorldHint, true)
          assert.deepEqual(tool?._meta, { 'broadside/untrustedContentHint': true })
        }
      }
    })
  })

for (const era of eras)
  suite(`a call about such a post, or with such arguments, ${era}`, () => {
    test('has no content of the post in its error', async () => {
      await inTurns(injected, async (by, number) => {
        const kind = kindAt(number)
        const id = posts.find((post) => post.by === by && post.kind === kind)?.id
        const own = String(keys.get(by.marker))
        const answers = [
          await callTool(kind, era, 'appeal_post', { id, message: 'Please look again.' }, own),
          await callTool(kind, era, 'edit_post', { id, topics: ['tides'] }, own),
          await callTool(kind, era, 'edit_post', { id, ...injectedBody(kind, by) }, strangersKey),
          await callTool(kind, era, 'delete_post', { id }, strangersKey),
          await callTool(kind, era, 'report_post', { post_id: id, category: 'no such' }),
          await callTool(kind, era, `publish_${kind.name}`, injectedBody(kind, by), own),
        ]
        for (const answer of answers) assertRefuses(answer)
      })
    })

    test('has no argument in its error', async () => {
      const calls = kinds.flatMap(hostileCalls)
      const refused = await inTurns(calls, async ({ kind, tool: name, given, argument }, number) => {
        const { marker, injection } = injected[number % injected.length] as Injected
        const params = { name, arguments: { ...given, [argument]: `${marker} ${injection} ${marker}` } }
        const answer = await askMcp(siteOf(kind), era, { method: 'tools/call', params, apiKey: strangersKey })
        heard.push(JSON.stringify([...answer.headers]))
        if (!answer.message.result?.['isError']) return false
        assertRefuses(answer)
        return true
      })
      // A name, a search query and the text of a report are accepted as they are.
      assert.ok(refused.filter(Boolean).length > calls.length * 0.9)
    })

    test('has the name of an argument only in its pointer, escaped', async () => {
      await inTurns(injected, async ({ injection }, number) => {
        const { message } = await askMcp(siteOf(kindAt(number)), era, {
          method: 'tools/call',
          params: { name: 'get_status', arguments: { [injection]: 1 } },
        })
        const [block] = (message.result as { content: { text: string }[] }).content
        const { errors, ...problem } = JSON.parse(String(block?.text))
        assert.equal(problem.code, 'invalid_query')
        assertNoTrace(JSON.stringify(problem))
        assert.deepEqual(
          errors.map(({ pointer }: { pointer: string }) => /^#\/[\w.!~*'()%-]*$/.test(pointer)),
          [true],
        )
      })
    })

    test('does not repeat unknown names', async () => {
      await inTurns(injected, async ({ text }, number) => {
        const kind = kindAt(number)
        const errors = [
          await ask(kind, era, { method: 'tools/call', params: { name: text, arguments: {} } }),
          await ask(kind, era, { method: 'prompts/get', params: { name: text } }),
          await callTool(kind, era, 'get_status', text),
        ]
        for (const { message } of errors) {
          assert.equal(message.error?.code, -32_602)
          assertNoTrace(JSON.stringify(message))
        }
        // The protocol returns the address here, and nowhere else.
        const { message } = await askMcp(siteOf(kind), era, { method: 'resources/read', params: { uri: text } })
        assert.deepEqual(message.error?.data, { uri: text })
        assertNoTrace(String(message.error?.message))
      })
    })
  })

type HostileCall = { kind: Kind; tool: string; given: object; argument: string }

/** Every tool with its own examples, replacing one argument after the other. */
function hostileCalls(kind: Kind): HostileCall[] {
  return toolsOf(kind, operationsOf(kind)).flatMap(({ tool, operation: { examples } }) => {
    const given = { ...(examples.params as object), ...(examples.query as object), ...(examples.body as object) }
    const names = Object.keys(tool.inputSchema['properties'] as object)
    return [...names, 'unknown'].map((argument) => ({ kind, tool: tool.name, given, argument }))
  })
}

/** Fields that the protocol itself adds to a result. */
const frame = ['resultType', '_meta']

function assertRefuses({ status, message, body }: OneMessage) {
  assert.deepEqual([status, message.result?.['isError']], [200, true], body)
  assert.deepEqual(
    Object.keys(message.result ?? {})
      .filter((name) => !frame.includes(name))
      .sort(),
    ['content', 'isError'],
  )
  const [block, ...more] = (message.result as { content: { text: string }[] }).content
  assert.equal(more.length, 0)
  assert.ok(typeof JSON.parse(String(block?.text)).code === 'string')
  assertNoTrace(body)
  assertNoTrace(String(block?.text))
}

test('no content of such posts appears in lists, instructions, resources, prompts, headers or logs', async () => {
  for (const kind of kinds) {
    for (const era of eras)
      for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
        await ask(kind, era, { method })
    const clientInfo = { name: 'raw', version: '1' }
    await ask(kind, 'modern', { method: 'server/discover' })
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    await ask(kind, 'legacy', { method: 'initialize', params: hello })
    for (const document of ['policy.json', 'plans.json', 'problems/index.json'])
      await ask(kind, 'modern', { method: 'resources/read', params: { uri: `${siteOf(kind)}/${document}` } })
    await ask(kind, 'modern', { method: 'prompts/get', params: { name: 'publish_a_post' } })
  }
  assert.ok(heard.length > 1_000 && service.logLines.length > 1_000)
  assertNoTrace(heard.join('\n'))
  assertNoTrace(service.logLines.join(''))
})

const kindAt = (number: number) => kinds[number % kinds.length] as Kind

/** A few at a time: all share the gateway and the database. */
async function inTurns<One, Result>(list: readonly One[], work: (one: One, number: number) => Promise<Result>) {
  const [results, next] = [[] as Result[], list.entries()]
  const lane = async () => {
    for (const [number, one] of next) results[number] = await work(one, number)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return results
}
