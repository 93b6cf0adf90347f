import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { answersNothing } from '../../src/contract/define-operation.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { byKey } from '../../src/mcp/http-adapter.ts'
import { type CallableTool, commonTools } from '../../src/mcp/tools/describe-tool.ts'
import { operationsOf } from '../../src/operations.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { askByHttp, exampleArguments } from '../support/mcp/both-apis.ts'
import { callTool } from '../support/mcp/call-tool.ts'
import { eras } from '../support/mcp/mcp-client.ts'
import { seedListedPost } from '../support/posts/create-post.ts'
import { seedSubject } from '../support/posts/operation-subject.ts'

let service: Service
let writer: Awaited<ReturnType<Service['createCustomer']>>

before(async () => {
  service = await startService({ commonMcp: { authentication: byKey } })
  writer = await service.createCustomer(100_000_000)
  const { id: accountId } = await service.createAccount()
  const publishedAt = service.clock.now()
  for (const { name, examples } of kinds)
    await seedListedPost(service, { kind: name, body: examples[0] as object, accountId, publishedAt })
  const ferry = { text: 'The ferry from Cacilhas is late again.' }
  await seedListedPost(service, { kind: 'message', body: ferry, accountId, publishedAt })
  // The clock is stopped, so that two calls with the same time can be made one after the other.
  service.clock.now = () => publishedAt
})
after(() => service[Symbol.asyncDispose]())

const tools = commonTools(kinds.map((kind) => ({ kind, operations: operationsOf(kind) })))

/** The tool as it works for one kind; undefined if posts of this kind do not have it. */
function ofKind(callable: CallableTool, kind: Kind): CallableTool | undefined {
  const operation = callable.choice ? callable.choice.operations.get(kind.name) : callable.operation
  return operation && { ...callable, operation }
}

const seeded = async (callable: CallableTool, kind: Kind): Promise<CallableTool> => ({
  ...callable,
  operation: await seedSubject(service, callable.operation, { kind, accountId: writer.id }),
})

const argumentsOf = (callable: CallableTool, kind: Kind) => ({
  ...(callable.choice?.by === 'kind' && { kind: kind.name }),
  ...exampleArguments(callable),
})

const identifiers = /\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g
const fresh = ['account_url', 'estimated_decision_at', 'api_key', 'secret']

/** What two calls must have in common: new objects have their own ids, links and secrets. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(identifiers, '$1'), (name, value) =>
    fresh.includes(name) ? typeof value : value,
  )

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
addFormats.default(ajv)

for (const kind of kinds)
  suite(`the tools for all sites return what the ${kind.site.slug} site returns`, () => {
    for (const callable of tools) {
      const here = ofKind(callable, kind)
      if (!here || (!callable.choice && kind !== kinds[0])) continue
      test(callable.tool.name, async () => {
        await service.asOwner('truncate allowance_uses')
        const apiKey = here.operation.access === 'key' ? writer.api_key : undefined
        const one = await seeded(here, kind)
        const json = await askByHttp(
          { baseUrl: String(service.baseUrls[kind.name]), apiKey },
          one,
          exampleArguments(one),
        )
        assert.ok(json.status < 300, JSON.stringify(json.body))
        const other = here.entry.hints.readOnlyHint ? one : await seeded(here, kind)
        const given = argumentsOf(other, kind)
        assert.ok(ajv.validate(callable.tool.inputSchema, given), ajv.errorsText())
        const answer = await callTool(service.accountPageUrl, callable.tool.name, given, { apiKey })
        assert.ok(answer.status === 200 && answer.result && !answer.problem, answer.body)
        if (answersNothing(here.operation)) return
        assert.deepEqual(comparable(answer.result.structuredContent), comparable(json.body))
      })
    }
  })

test('a post is published on the site of its kind, at its price, and read by its id alone', async () => {
  for (const kind of kinds)
    for (const era of eras) {
      const { api_key: apiKey, id } = await service.createCustomer(1_000_000)
      const call = (name: string, given: object) => callTool(service.accountPageUrl, name, given, { apiKey, era })
      const given = { kind: kind.name, ...kind.examples[0], idempotency_key: `first-${kind.name}-${era}` }
      const { result } = await call('publish_post', given)
      const post = result?.structuredContent as { id: string; kind: string; charged_micros: number }
      assert.equal(post.kind, kind.name)
      assert.ok(post.charged_micros >= kind.priceMicros)
      const [row] = await service.asOwner<{ kind: string; account_id: string }>(
        'select kind, account_id from posts where id = $1',
        [post.id],
      )
      assert.deepEqual(row, { kind: kind.name, account_id: id })
      const read = await call('get_post', { id: post.id })
      assert.equal(read.result?.structuredContent?.['id'], post.id)
      // A retry at the site itself is recognised.
      const { kind: _, idempotency_key, ...body } = given
      const response = await fetch(`${service.baseUrls[kind.name]}/v1/posts`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${apiKey}`,
          'idempotency-key': idempotency_key,
        },
        body: JSON.stringify(body),
      })
      assert.equal(response.headers.get('idempotent-replayed'), 'true')
      assert.equal(((await response.json()) as { id: string }).id, post.id)
    }
})
