import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { newApiKey } from '../src/accounts/api-key.ts'
import type { Operation } from '../src/contract/define-operation.ts'
import type { ProblemCode } from '../src/contract/problems.ts'
import { takesHead } from '../src/http/sites.ts'
import { type Kind, kinds } from '../src/kinds/index.ts'
import { operationsOf } from '../src/operations.ts'
import { probeOperations } from './support/probe-operations.ts'
import { assertProblem, refusalOf } from './support/problem-document.ts'
import { callOperation } from './support/request.ts'
import { type Service, startService } from './support/service.ts'
import { stageSubject, subjectOf } from './support/stage-subject.ts'

const callers = [
  'no key',
  'malformed key',
  'another scheme',
  'wrong checksum',
  'unknown key',
  'revoked key',
  'banned account',
  'closed account',
  'another account',
  'its own account',
] as const
type CallerName = (typeof callers)[number]

/** What each caller must meet, derived from what the operation says of itself. */
function expected(operation: Operation, caller: CallerName): ProblemCode | 'success' {
  const { access, whenBanned } = operation
  if (access === 'owner') return 'owner_session_required'
  if (caller === 'no key') return access === 'key' ? 'missing_api_key' : 'success'
  if (caller === 'banned account') return whenBanned === 'refused' ? 'account_banned' : 'success'
  const subject = subjectOf(operation)
  if (caller === 'another account' && access === 'key' && subject) return `${subject}_not_found`
  return caller === 'another account' || caller === 'its own account' ? 'success' : 'invalid_api_key'
}

let service: Service
let keys: Record<CallerName, string | undefined>
let own: { id: string }
let bannedId: string

before(async () => {
  service = await startService({ extraOperations: probeOperations })
  const account = await service.createAccount()
  const accounts = await Promise.all(Array.from({ length: 4 }, () => service.createAccount()))
  const [revoked, banned, closed, another] = accounts as [
    typeof account,
    typeof account,
    typeof account,
    typeof account,
  ]
  await service.asOwner('update api_keys set revoked_at = created_at where account_id = $1', [revoked.id])
  await service.asOwner("update accounts set standing = 'banned' where id = $1", [banned.id])
  await service.asOwner("update accounts set standing = 'closed' where id = $1", [closed.id])
  own = account
  bannedId = banned.id
  for (const { id } of [account, another]) await service.credit(id, 100_000_000)
  const last = account.api_key.at(-1) === 'a' ? 'b' : 'a'
  keys = {
    'no key': undefined,
    'malformed key': 'bsk_short',
    'another scheme': account.api_key,
    'wrong checksum': account.api_key.slice(0, -1) + last,
    'unknown key': newApiKey(),
    'revoked key': revoked.api_key,
    'banned account': banned.api_key,
    'closed account': closed.api_key,
    'another account': another.api_key,
    'its own account': account.api_key,
  }
})
after(() => service[Symbol.asyncDispose]())

const sample = kinds.map((kind) => ({ kind, operations: [...operationsOf(kind), ...probeOperations] }))

for (const { kind, operations } of sample)
  suite(`the authorisation matrix of the ${kind.site.slug} site`, () => {
    for (const operation of operations)
      for (const caller of callers) {
        const outcome = expected(operation, caller)
        test(`${operation.id} with ${caller}: ${outcome}`, () => meet(operation, kind, caller, outcome))
      }
  })

async function meet(operation: Operation, kind: Kind, caller: CallerName, outcome: ProblemCode | 'success') {
  const key = keys[caller]
  const accountId = caller === 'banned account' ? bannedId : own.id
  // Each call of an operation on one post or endpoint meets one of its own.
  const staged = await stageSubject(service, operation, { kind, accountId })
  const scheme = caller === 'another scheme' ? 'Basic' : 'Bearer'
  const response = await callOperation(
    String(service.baseUrls[kind.name]),
    staged,
    key ? { headers: { authorization: `${scheme} ${key}` } } : {},
  )
  if (outcome !== 'success') {
    assertProblem(await refusalOf(response), outcome)
    if (response.status === 401) assert.match(String(response.headers.get('www-authenticate')), /^Bearer realm=/)
    return
  }
  const body = await response.text()
  assert.equal(response.status, operation.successStatus, body)
  const isPublic = operation.id === 'getPost'
  const isOwn = caller === 'its own account' || (isPublic && caller === 'banned account')
  if (!isOwn) assert.ok(!body.includes(isPublic ? 'charged_micros' : own.id), 'another account’s data is in the answer')
}

test('every operation states who may call it and what a ban changes', () => {
  for (const operation of sample.flatMap(({ operations }) => operations)) {
    assert.ok(['anyone', 'key', 'owner'].includes(operation.access), `${operation.id} states no access`)
    assert.ok(['allowed', 'refused'].includes(operation.whenBanned), `${operation.id} says nothing of a ban`)
  }
})

test('the doors route what is in the registry, and nothing else', () => {
  const registered = sample.flatMap(({ kind: { name: site }, operations }) => [
    ...operations.flatMap((operation) => {
      const { method, path } = operation
      return (takesHead(operation) ? (['GET', 'HEAD'] as const) : [method]).map((one) => ({ site, method: one, path }))
    }),
    // For people, with no key and no body: what it does is the search of the registry.
    ...(['GET', 'HEAD'] as const).map((method) => ({ site, method, path: '/search' })),
    // Its tools are operations of the registry; the matrix of test/tools.test.ts is over each of them.
    { site, method: 'POST' as const, path: '/mcp' },
  ])
  const missing = registered.filter(({ site, method, path }) => {
    const url = path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
    return !service.api.hasRoute({ method, url, constraints: { site } })
  })
  assert.deepEqual(missing, [])
  const printed = service.api.printRoutes({ commonPrefix: false }).matchAll(/ \(([A-Z, ]+)\)/g)
  const routed = [...printed].flatMap(([, methods = '']) => methods.split(', '))
  assert.equal(routed.length, registered.length, 'a route stands beside the registry')
})
