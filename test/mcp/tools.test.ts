import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { answersNothing } from '../../src/contract/define-operation.ts'
import type { JsonSchema } from '../../src/contract/generators/json-schema.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { type CallableTool, toolsOf } from '../../src/mcp/tools/describe-tool.ts'
import { operationsOf } from '../../src/operations.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { assertProblem } from '../../tooling/problem-document.ts'
import {
  type CallerName,
  callers,
  type Outcome,
  outcomeFor,
  type SeededCallers,
  seedCallers,
  showsTooMuch,
} from '../support/accounts/callers.ts'
import { askByHttp, exampleArguments } from '../support/mcp/both-apis.ts'
import { callTool } from '../support/mcp/call-tool.ts'
import { seedListedPost } from '../support/posts/create-post.ts'
import { seedSubject } from '../support/posts/operation-subject.ts'

let service: Service
let fixture: SeededCallers
/** Calls through both interfaces, so that the posts of the matrix's callers stay out of the lists. */
let writer: Awaited<ReturnType<Service['createCustomer']>>

before(async () => {
  service = await startService()
  fixture = await seedCallers(service)
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

const sites = kinds.map((kind) => ({ kind, tools: toolsOf(kind, operationsOf(kind)) }))

/** Every response gets a new link; the next caller would be the next to be decided on. */
const freshEachTime = ['account_url', 'estimated_decision_at']
/** A created object has its own secret. */
const freshWhenMade = [...freshEachTime, 'api_key', 'secret']
const identifiers = /\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** The same value with these fields, at any depth, replaced by their types. */
const without = (members: readonly string[], value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, member) => (members.includes(name) ? typeof member : member))

/** The part of a response that another call must also return. New objects have their own ids. */
function comparable({ entry: { hints } }: CallableTool, answer: unknown): unknown {
  if (hints.readOnlyHint) return without(freshEachTime, answer)
  return without(freshWhenMade, JSON.parse(JSON.stringify(answer).replaceAll(identifiers, '$1')))
}

/** The tool, applied to an object of the fixture. */
async function seeded(callable: CallableTool, kind: Kind, accountId: string): Promise<CallableTool> {
  return { ...callable, operation: await seedSubject(service, callable.operation, { kind, accountId }) }
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
addFormats.default(ajv)

function assertFits(schema: JsonSchema, value: unknown): void {
  const fits = ajv.compile(schema)
  assert.ok(fits(value), ajv.errorsText(fits.errors))
}

for (const { kind, tools } of sites)
  suite(`both interfaces of the ${kind.site.slug} site return the same object`, () => {
    for (const callable of tools)
      test(callable.tool.name, async () => {
        const { tool, entry, operation } = callable
        const baseUrl = String(service.baseUrls[kind.name])
        const apiKey = operation.access === 'key' ? writer.api_key : undefined
        // The author appeals on every site, more often than a new account can in a day.
        await service.asOwner('truncate allowance_uses')
        const one = await seeded(callable, kind, writer.id)
        assertFits(tool.inputSchema, exampleArguments(one))
        const json = await askByHttp({ baseUrl, apiKey }, one, exampleArguments(one))
        assert.ok(json.status < 300, JSON.stringify(json.body))
        // Reading operations use the same object; changing ones use another that was like it.
        const other = entry.hints.readOnlyHint ? one : await seeded(callable, kind, writer.id)
        const { status, result } = await callTool(baseUrl, tool.name, exampleArguments(other), { apiKey })
        assert.ok(status === 200 && result && !result.isError, JSON.stringify(result))
        const [block, ...more] = result.content
        assert.deepEqual(more, [])
        if (answersNothing(operation)) {
          assert.deepEqual([json.body, result.structuredContent], [undefined, undefined])
          return
        }
        assert.equal(block?.text, JSON.stringify(result.structuredContent))
        assert.deepEqual(comparable(one, result.structuredContent), comparable(one, json.body))
      })
  })

const [first] = sites
assert(first)

suite('the authorisation matrix of the tools', () => {
  for (const callable of first.tools)
    for (const caller of callers) {
      const outcome = outcomeFor(callable.operation, caller)
      test(`${callable.tool.name} with ${caller}: ${outcome}`, () => meet(callable, caller, outcome))
    }
})

async function meet(callable: CallableTool, caller: CallerName, outcome: Outcome) {
  const one = await seeded(callable, first?.kind as Kind, fixture.subjectOwner(caller))
  const headers = fixture.headersOf(caller)
  const answer = await callTool(service.baseUrl, one.tool.name, exampleArguments(one), { headers })
  if (outcome === 'invalid_api_key') {
    // The client must learn that its configuration is wrong; a model could not fix it.
    assertProblem({ ...answer, contentType: answer.headers.get('content-type') }, outcome)
    assert.match(String(answer.headers.get('www-authenticate')), /^Bearer realm="broadside", error="invalid_token"$/)
    return
  }
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('www-authenticate'), null)
  assert.equal(answer.problem?.code ?? 'success', outcome, answer.body)
  if (outcome !== 'success') return assert.equal(answer.result?.isError, true)
  assert.ok(
    !showsTooMuch(one.operation, caller, answer.body, fixture.own.id),
    'another account’s data is in the answer',
  )
}

/** Operations without a tool: event receivers and programs that run a domain call them over HTTP. */
const withoutTool = [
  'listEvents',
  'streamPosts',
  'rotateWebhookSecret',
  'listDeliveries',
  'replayDeliveries',
  'setDomain',
  'deleteDomain',
]

test('every operation has a tool, or is listed as having none', () => {
  for (const { kind, tools } of sites) {
    const called = new Set(tools.map(({ operation }) => operation.id))
    const [ofTheOwner, ofAgents] = [true, false].map((isOwners) =>
      operationsOf(kind).filter(({ access }) => (access === 'owner') === isOwners),
    )
    const rest = ofAgents?.filter(({ id }) => !called.has(id)) ?? []
    assert.deepEqual(rest.map(({ id }) => id).sort(), withoutTool.toSorted())
    assert.ok(
      ofTheOwner?.length && ofTheOwner.every(({ id }) => !called.has(id)),
      'an agent is offered what is the owner’s',
    )
  }
})

const everywhere =
  'search_posts browse_posts get_post list_my_posts edit_post delete_post appeal_post report_post list_drafts get_draft cancel_draft ' +
  'find_place create_account get_account ' +
  'turn_off_auto_recharge request_account_deletion list_webhooks create_webhook test_webhook delete_webhook ' +
  'get_status get_pricing get_policy'

test('every site has the specified tools, two of them named after its kind', () => {
  for (const { kind, tools } of sites) {
    const own = everywhere.replace('report_post', kind.name === 'classified' ? 'report_post contact_seller' : '$&')
    const expected = [`check_${kind.name}`, `publish_${kind.name}`, ...own.split(' ')]
    assert.deepEqual(
      tools.map(({ tool }) => tool.name),
      expected,
    )
  }
})
