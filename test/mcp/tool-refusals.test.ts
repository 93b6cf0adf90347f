import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import type { ProblemDocument } from '../../clients/typescript/src/problem.ts'
import { type Operation, problemsOf } from '../../src/contract/define-operation.ts'
import { maxWebhooksPerAccount } from '../../src/contract/limits.ts'
import type { ProblemCode } from '../../src/contract/problems/problems.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { type CallableTool, toolsOf } from '../../src/mcp/tools/describe-tool.ts'
import { operationsOf } from '../../src/operations.ts'
import { connect } from '../../src/platform/database/database.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedKey } from '../support/accounts/create-key.ts'
import { withQuotasUsed } from '../support/accounts/limited-callers.ts'
import { withManyDrafts } from '../support/drafts/seed-draft.ts'
import { type Arguments, askByHttp, exampleArguments } from '../support/mcp/both-apis.ts'
import { callTool } from '../support/mcp/call-tool.ts'
import type { PostSeed } from '../support/posts/create-post.ts'
import { seedSubject } from '../support/posts/operation-subject.ts'

const kind = kinds[0] as Kind
const tools = toolsOf(kind, operationsOf(kind))

let service: Service
let account: Awaited<ReturnType<Service['createAccount']>>
let bannedKey: string
/** Keys that the account's owner has limited. */
let limited: Record<'readOnly' | 'narrow' | 'capped', string>

before(async () => {
  const one = { searchesPerKey: 1, searchesPerAddress: 1, reportsPerAddress: 1, requestedDeliveriesPerAccount: 1 }
  service = await startService({ ...one, accountsPerAddress: 2 })
  account = await service.createAccount()
  const banned = await service.createAccount()
  bannedKey = banned.api_key
  await service.asOwner("update accounts set standing = 'banned' where id = $1", [banned.id])
  await service.credit(account.id, fortuneMicros)
  limited = {
    readOnly: (await seedKey(service, { accountId: account.id, slot: 2, scope: 'read' })).apiKey,
    narrow: (await seedKey(service, { accountId: account.id, slot: 4, scopes: ['read'] })).apiKey,
    capped: (await seedKey(service, { accountId: account.id, slot: 3, dailyCapMicros: 0 })).apiKey,
  }
  // The clock is stopped, so that both interfaces report the same waiting time.
  const at = service.clock.now()
  service.clock.now = () => at
})
after(() => service[Symbol.asyncDispose]())

const fortuneMicros = 1_000_000_000

/** One way to call the operation: its refusal, or undefined if it succeeds. */
type Door = (callable: CallableTool, given: Arguments, apiKey?: string) => Promise<ProblemDocument | undefined>

const byHttp: Door = async (callable, given, apiKey = keyFor(callable)) => {
  const { status, body } = await askByHttp({ baseUrl: service.baseUrl, apiKey: apiKey || undefined }, callable, given)
  return status < 400 ? undefined : body
}

const byTool: Door = async (callable, given, apiKey = keyFor(callable)) => {
  const { status, problem } = await callTool(service.baseUrl, callable.tool.name, given, {
    apiKey: apiKey || undefined,
  })
  assert.equal(status, 200)
  return problem
}

const noKey = ''
const keyFor = ({ operation }: CallableTool) => (operation.access === 'key' ? account.api_key : noKey)

/** Creates the object that the tool is about, and resets the daily counts. */
async function seeded(callable: CallableTool, { status, accountId = account.id }: Partial<PostSeed> = {}) {
  await service.asOwner('truncate allowance_uses')
  const like = { kind, accountId, ...(status && { status }) }
  return { ...callable, operation: await seedSubject(service, callable.operation, like) }
}

const withWords = (callable: CallableTool, words: string): Arguments => ({
  ...exampleArguments(callable),
  ...(callable.operation.id === 'createAccount' ? { name: words } : { text: words }),
})

type Provocation = (door: Door, callable: CallableTool) => Promise<ProblemDocument | undefined>

const onExample =
  (change: (given: Arguments) => Arguments, status?: PostSeed['status']): Provocation =>
  async (door, callable) => {
    const one = await seeded(callable, status && { status })
    return door(one, change(exampleArguments(one)))
  }

/** How to trigger each problem through a tool's arguments. A listed code that is missing here fails. */
const provocations: Partial<Record<ProblemCode, Provocation>> = {
  missing_api_key: (door, callable) => door(callable, exampleArguments(callable), noKey),
  account_banned: (door, callable) => door(callable, exampleArguments(callable), bannedKey),
  key_read_only: (door, callable) => door(callable, exampleArguments(callable), limited.readOnly),
  insufficient_scope: (door, callable) => door(callable, exampleArguments(callable), limited.narrow),
  key_cap_reached: (door, callable) => {
    const dear = callable.operation.limitsChargeWith ? { max_charge_micros: 1_000 } : {}
    return usedUp(door, callable, limited.capped, dear)
  },
  invalid_query: onExample((given) => ({ ...given, nonsense: 1 })),
  validation_failed: onExample((given) => ({ ...given, nonsense: 1, 'an~odd/name': [] })),
  terms_not_accepted: onExample(({ accept_terms: _, ...given }) => given),
  invalid_idempotency_key: onExample((given) => ({ ...given, idempotency_key: 'short' })),
  post_not_found: (door, callable) => door(callable, exampleArguments(callable)),
  webhook_not_found: (door, callable) => door(callable, exampleArguments(callable)),
  draft_not_found: (door, callable) => door(callable, exampleArguments(callable)),
  post_gone: onExample((given) => given, 'removed'),
  invalid_state: onExample((given) => given, 'queued'),
  prefilter_refused: async (door, callable) => {
    const one = await seeded(callable)
    return door(one, withWords(one, 'prefilter-refuse-spam'))
  },
  insufficient_balance: async (door, callable) => {
    await service.asOwner('update balances set prepaid_micros = 1 where account_id = $1', [account.id])
    const dear = callable.operation.limitsChargeWith ? { max_charge_micros: 1_000 } : {}
    const problem = await usedUp(door, callable, account.api_key, dear)
    await service.asOwner('update balances set prepaid_micros = $1 where account_id = $2', [fortuneMicros, account.id])
    return problem
  },
  max_charge_exceeded: (door, callable) => usedUp(door, callable, account.api_key, { max_charge_micros: 999 }),
  search_allowance_exhausted: (door, callable) => usedUp(door, callable, noKey),
  rate_limited: async (door, callable) => {
    if (callable.operation.allowance) return usedUp(door, callable, keyFor(callable))
    const one = await seeded(callable)
    return withQuotasUsed(service, account.id, () => door(one, exampleArguments(one)))
  },
  idempotency_key_reused: async (door, callable) => {
    const one = await seeded(callable)
    const key = { idempotency_key: crypto.randomUUID() }
    await door(one, { ...withWords(one, `First ${crypto.randomUUID()}.`), ...key })
    return door(one, { ...withWords(one, `Second ${crypto.randomUUID()}.`), ...key })
  },
  too_many_drafts: async (door, callable) => {
    const one = await seeded(callable)
    const query = new URLSearchParams(await withManyDrafts(service, account.id))
    return door(one, { ...withWords(one, 'One too many.'), ...Object.fromEntries(query) })
  },
  too_many_webhooks: async (door, callable) => {
    await seeded(callable)
    for (let count = 0; count < maxWebhooksPerAccount; count++) await byHttp(callable, exampleArguments(callable))
    return door(callable, exampleArguments(callable))
  },
}

/** The refusal of the first call over the limit: the day allows one or two. */
async function usedUp(door: Door, callable: CallableTool, apiKey: string, more: Arguments = {}) {
  const one = await seeded(callable)
  for (let count = 0; count < 2; count++) await door(one, { ...exampleArguments(one), ...more }, apiKey)
  return door(one, { ...exampleArguments(one), ...more }, apiKey)
}

/** Triggered before a tool is called, or not by the caller: see test/mcp/transport.test.ts. */
const ofTheDoor: readonly ProblemCode[] = [
  ...(['malformed_request', 'unknown_site', 'not_acceptable', 'invalid_api_key', 'platform_busy'] as const),
  ...(['internal_error', 'unavailable', 'body_too_large', 'unsupported_media_type', 'malformed_json'] as const),
]

/** What HTTP allows for the operation and its tool does not. */
function isBeyond({ operation, entry }: CallableTool, code: ProblemCode): boolean {
  // An unknown argument belongs to the body, if there is one.
  if (code === 'invalid_query') return operation.body !== undefined
  return entry.cannotMeet?.includes(code) === true
}

/** Each request has its own id and its own post, and each problem for the owner its own link. */
const comparable = (problem: ProblemDocument | undefined) => {
  assert.ok(problem, 'nothing was refused')
  const { instance, ...rest } = problem
  assert.match(String(instance), /^[0-9a-f]{32}$/)
  const text = JSON.stringify(rest).replaceAll(/post_\w{26}/g, 'post_…')
  return JSON.parse(text, (name, value) => (name === 'account_url' ? typeof value : value))
}

for (const callable of tools)
  suite(`${callable.tool.name} refuses as ${callable.operation.id} does`, () => {
    const codes = problemsOf(callable.operation).filter(
      (code) => !ofTheDoor.includes(code) && !isBeyond(callable, code),
    )
    for (const code of codes.filter((one) => one !== 'idempotency_in_progress'))
      test(code, async () => {
        const provoke = provocations[code]
        assert.ok(provoke, `nobody knows how to meet ${code}`)
        const told = comparable(await provoke(byTool, callable))
        assert.equal(told.code, code)
        assert.deepEqual(told, comparable(await provoke(byHttp, callable)))
      })
  })

const takesKey = ({ takesIdempotencyKey }: Operation) => takesIdempotencyKey === true

test('while the first call with an idempotency key runs, both interfaces refuse the next one', async () => {
  const repeatable = tools.filter((one) => takesKey(one.operation) && !isBeyond(one, 'idempotency_in_progress'))
  await using holder = connect(service.database.urls.migrator, { poolMax: 1, applicationName: 'test holder' })
  const client = await holder.pool.connect()
  await client.query('begin')
  const calls: Promise<ProblemDocument | undefined>[] = []
  // Each has its own account: two calls of one account would wait for each other, and not for the key.
  for (const door of [byTool, byHttp])
    for (const callable of repeatable) {
      const { id: accountId, api_key } = await service.createCustomer()
      const one = await seeded(callable, { accountId })
      const { id = '' } = (one.operation.examples.params ?? {}) as { id?: string }
      await client.query(
        `insert into idempotent_answers values ($1, $2, $3, 'first-is-running', $4, 202, '{}', '{}', $5)`,
        [accountId, kind.name, one.operation.path.replace('{id}', id), Buffer.alloc(32), service.clock.now()],
      )
      calls.push(door(one, { ...withWords(one, crypto.randomUUID()), idempotency_key: 'first-is-running' }, api_key))
    }
  const problems = (await Promise.all(calls)).map(comparable)
  await client.query('rollback')
  client.release()
  for (const problem of problems) assert.deepEqual(problem, { ...problems[0], code: 'idempotency_in_progress' })
})

const send = (name: string, given: unknown, apiKey: string | undefined = account.api_key) =>
  callTool(service.baseUrl, name, given, { apiKey })

test('an unknown argument is refused by its name, whatever the name', async () => {
  for (const { tool, operation, ...callable } of tools)
    for (const name of ['nonsense', 'constructor', 'toString']) {
      const given = { ...exampleArguments({ tool, operation, ...callable }), [name]: '1' }
      const { problem } = await send(tool.name, given)
      assert.equal(problem?.code, operation.body ? 'validation_failed' : 'invalid_query', `${tool.name} ${name}`)
      assert.deepEqual(
        problem?.errors?.map(({ pointer }) => pointer),
        [`#/${name}`],
      )
    }
})

/** How each form of argument is handled: a parameter is one value, null means omitted, and fixed values stay fixed. */
const forms: [ProblemCode | 'success', string, unknown][] = [
  ['success', 'get_status', undefined],
  ['success', 'browse_posts', { limit: 5 }],
  ['success', 'browse_posts', { limit: '5' }],
  ['success', 'browse_posts', { limit: null }],
  ['invalid_query', 'browse_posts', { limit: 'many' }],
  ['invalid_query', 'browse_posts', { limit: [5] }],
  ['invalid_query', 'browse_posts', { limit: { toString: 5 } }],
  ['invalid_query', 'search_posts', undefined],
  ['invalid_query', 'search_posts', { q: null }],
  ['invalid_query', 'search_posts', { q: ['ferry'] }],
  ['success', 'search_posts', { q: 7, max_charge_micros: null }],
  ['max_charge_exceeded', 'search_posts', { q: 7, max_charge_micros: null }],
  ['invalid_query', 'get_post', undefined],
  ['invalid_query', 'get_post', { id: null }],
  ['invalid_query', 'get_post', { id: 5 }],
  ['invalid_query', 'get_post', { id: { toString: 5 } }],
  ['post_not_found', 'get_post', { id: 'nothing' }],
  ['validation_failed', 'edit_post', { id: [{ toString: null }], text: 'Another text.' }],
  ['validation_failed', 'check_message', undefined],
  ['validation_failed', 'check_message', { text: 5 }],
  ['validation_failed', 'check_message', { text: 'Not a trial.', dry_run: false }],
  ['validation_failed', 'publish_message', { text: 'A trial.', dry_run: true }],
  ['validation_failed', 'turn_off_auto_recharge', { auto_recharge: { enabled: true } }],
  ['validation_failed', 'turn_off_auto_recharge', { auto_recharge: { enabled: false } }],
  ['invalid_idempotency_key', 'publish_message', { text: 'A key of another type.', idempotency_key: 12_345_678 }],
  ['success', 'publish_message', { text: 'Without a key, a repeat is another post.', idempotency_key: null }],
]

test('arguments of every form are accepted or refused as documented', async () => {
  await service.asOwner('truncate allowance_uses, post_signatures')
  for (const [outcome, name, given] of forms) {
    const { problem, status, body } = await send(name, given)
    assert.deepEqual([status, problem?.code ?? 'success'], [200, outcome], `${name} ${JSON.stringify(given)} ${body}`)
  }
})

const marker = 'zq7-what-the-caller-sent'
const value = fc.oneof(fc.constant(marker), fc.jsonValue({ maxDepth: 2 }), fc.constant([{ toString: marker }]))
const anyCall = fc.constantFrom(...tools).chain(({ tool }) => {
  const known = Object.keys(tool.inputSchema['properties'] as object)
  const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('text', ...known) }, fc.string())
  return fc.tuple(fc.constant(tool.name), fc.array(fc.tuple(name, value), { maxLength: 6 }))
})

test('for all arguments, a tool succeeds or refuses with a caller’s problem that quotes no value', async () => {
  await service.asOwner('truncate allowance_uses')
  const { api_key } = await service.createCustomer(1)
  const play = async ([name, members]: [string, [string, unknown][]]) => {
    const { status, error, result, problem } = await send(name, Object.fromEntries(members), api_key)
    assert.deepEqual([status, error], [200, undefined])
    assert.ok(result)
    if (!problem) return
    assert.ok(problem.status < 500, problem.code)
    assert.ok(!JSON.stringify(result).includes(marker), 'the caller’s text came back')
  }
  await fc.assert(fc.asyncProperty(anyCall, play), { numRuns: 200 })
})
