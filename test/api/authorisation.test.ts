import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Operation } from '../../src/contract/define-operation.ts'
import { ownerPlace, takesHead } from '../../src/http/sites.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { assertProblem, refusalOf } from '../../tooling/problem-document.ts'
import { isWhole } from '../../tooling/test-length.ts'
import {
  type CallerName,
  callers,
  type Outcome,
  outcomeFor,
  type SeededCallers,
  seedCallers,
  showsTooMuch,
} from '../support/accounts/callers.ts'
import { probeOperations } from '../support/http/probe-operations.ts'
import { callOperation } from '../support/http/request.ts'
import { seedSubject } from '../support/posts/operation-subject.ts'

let service: Service
let fixture: SeededCallers

before(async () => {
  service = await startService({ extraOperations: probeOperations })
  fixture = await seedCallers(service)
})
after(() => service[Symbol.asyncDispose]())

const sample = kinds.map((kind) => ({ kind, operations: [...operationsOf(kind), ...probeOperations] }))

/** An operation that is the same on every site is called on the first one, and on the others every night. */
const called = new Set<Operation>()
const matrix = sample.map(({ kind, operations }) => {
  const own = isWhole ? operations : operations.filter((operation) => !called.has(operation))
  for (const operation of own) called.add(operation)
  return { kind, operations: own }
})

for (const { kind, operations } of matrix)
  suite(`the authorisation matrix of the ${kind.site.slug} site`, () => {
    for (const operation of operations)
      for (const caller of callers) {
        const outcome = outcomeFor(operation, caller)
        test(`${operation.id} with ${caller}: ${outcome}`, () => meet(operation, kind, caller, outcome))
      }
  })

async function meet(operation: Operation, kind: Kind, caller: CallerName, outcome: Outcome) {
  // Each call of an operation on one post or endpoint gets its own.
  const seeded = await seedSubject(service, operation, { kind, accountId: fixture.subjectOwner(caller, operation) })
  const response = await callOperation(String(service.baseUrls[kind.name]), seeded, {
    headers: fixture.headersOf(caller),
  })
  if (outcome !== 'success') {
    assertProblem(await refusalOf(response), outcome)
    if (response.status === 401) assert.match(String(response.headers.get('www-authenticate')), /^Bearer realm=/)
    return
  }
  const body = operation.answersStream ? await firstPartOf(response) : await response.text()
  assert.equal(response.status, operation.successStatus, body)
  const isTooMuch = showsTooMuch(operation, caller, body, fixture.own.id)
  assert.ok(!isTooMuch, 'another account’s data is in the answer')
}

/** A stream does not end by itself. */
async function firstPartOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const part = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(part?.value)
}

test('every operation declares who may call it and what a ban changes', () => {
  for (const operation of sample.flatMap(({ operations }) => operations)) {
    assert.ok(['anyone', 'key', 'owner'].includes(operation.access), `${operation.id} states no access`)
    assert.ok(['allowed', 'refused'].includes(operation.whenBanned), `${operation.id} says nothing of a ban`)
  }
})

test('the API and the owner page route exactly the operations in the registry', () => {
  const routes = (site: string, operations: readonly Operation[]) =>
    operations.flatMap((operation) => {
      const { method, path } = operation
      return (takesHead(operation) ? (['GET', 'HEAD'] as const) : [method]).map((one) => ({ site, method: one, path }))
    })
  const ofTheOwner = sample[0]?.operations.filter(({ access }) => access === 'owner') ?? []
  const registered = sample.flatMap(({ kind, kind: { name: site }, operations }) => [
    ...routes(site, operations),
    // For browsers, without key or body: it runs the search of the registry.
    ...(['GET', 'HEAD'] as const).map((method) => ({ site, method, path: '/search' })),
    // For browsers, without key: it files the report of the registry. Anyone may send it, as reportPost.
    ...(['GET', 'HEAD', 'POST'] as const).map((method) => ({ site, method, path: '/p/{id}/report' })),
    // For people without a key: a message to the seller, which its sender confirms by email.
    ...(kind.acceptsRelay ? ['/p/{id}/contact', '/p/{id}/contact/{token}'] : []).flatMap((path) =>
      (['GET', 'HEAD', 'POST'] as const).map((method) => ({ site, method, path })),
    ),
    // Its tools are operations of the registry; test/mcp/tools.test.ts has the matrix of each.
    { site, method: 'POST' as const, path: '/mcp' },
  ])
  // The same tools for all sites: test/mcp/common-tools.test.ts.
  registered.push(...routes(ownerPlace, ofTheOwner), { site: ownerPlace, method: 'POST', path: '/mcp' })
  const missing = registered.filter(({ site, method, path }) => {
    const url = path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
    return !service.api.hasRoute({ method, url, constraints: { site } })
  })
  assert.deepEqual(missing, [])
  const printed = service.api.printRoutes({ commonPrefix: false }).matchAll(/ \(([A-Z, ]+)\)/g)
  const routed = [...printed].flatMap(([, methods = '']) => methods.split(', '))
  assert.equal(routed.length, registered.length, 'a route stands beside the registry')
})
