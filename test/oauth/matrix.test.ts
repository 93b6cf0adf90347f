import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Operation } from '../../src/contract/define-operation.ts'
import { type Scope, scopeNames } from '../../src/contract/scopes.ts'
import { kinds } from '../../src/kinds/index.ts'
import { commonTools, toolsOf } from '../../src/mcp/tools/describe-tool.ts'
import { operationsOf } from '../../src/operations.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { callOperation } from '../support/http/request.ts'
import { callTool } from '../support/mcp/call-tool.ts'
import { type Bearer, type State, seedBearers, states } from '../support/oauth/bearers.ts'

/** What the call of an operation ends in, before its input is validated. */
type Outcome = 'admitted' | 'invalid_api_key' | 'insufficient_scope' | 'owner_session_required'

const refusals = [
  ...['missing_api_key', 'invalid_api_key', 'insufficient_scope', 'key_read_only', 'owner_session_required'],
  ...['account_banned', 'origin_not_allowed', 'not_found', 'method_not_allowed'],
]

type Place = 'the endpoint for all sites' | 'a site’s MCP endpoint' | 'a site’s API'
type Cell = { operation: Operation; bearer: Bearer; place: Place; ask: () => Promise<Answer> }
type Answer = { status: number; code: string | undefined; challenge: string }

/** The result that the contract demands, from the operation's declaration alone. */
function expected({ operation: { access, method, scopes = [] }, bearer, place }: Cell): Outcome {
  if (access === 'owner') return 'owner_session_required'
  const isForPlace = bearer.kind === 'key' || place === 'the endpoint for all sites'
  if (!isForPlace || !bearer.isValid) return 'invalid_api_key'
  if (access === 'anyone' || method === 'GET') return 'admitted'
  return scopes.some((scope) => scope === bearer.scope) ? 'admitted' : 'insufficient_scope'
}

/** Unknown arguments: whoever is admitted is refused by validation, so that no call changes anything. */
const unknown = { matrix: 'x' }

let service: Service
let bearers: Map<State, Bearer[]>
let cells = 0
before(async () => {
  service = await startService()
  bearers = await seedBearers(service, [...scopeNames, 'none'])
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
})

const sites = kinds.map((kind) => ({ kind, operations: operationsOf(kind) }))

async function askTool(baseUrl: string, name: string, { token }: Bearer): Promise<Answer> {
  const { status, problem, headers, result } = await callTool(baseUrl, name, unknown, { apiKey: token })
  assert.ok(problem ?? result, `${name} has no result`)
  return { status, code: problem?.code, challenge: headers.get('www-authenticate') ?? '' }
}

async function askHttp(baseUrl: string, operation: Operation, { token }: Bearer): Promise<Answer> {
  const query = `?${new URLSearchParams(unknown)}`
  const response = await callOperation(baseUrl, operation, { headers: { authorization: `Bearer ${token}` }, query })
  const text = await response.text()
  const code = response.ok || text === '' ? undefined : (JSON.parse(text) as { code: string }).code
  return { status: response.status, code, challenge: response.headers.get('www-authenticate') ?? '' }
}

function cellsOf(state: State, place: Place): Cell[] {
  const each = (operation: Operation, ask: (bearer: Bearer) => Promise<Answer>): Cell[] =>
    (bearers.get(state) ?? []).map((bearer) => ({ operation, bearer, place, ask: () => ask(bearer) }))
  const { accountPageUrl, baseUrls } = service
  if (place === 'the endpoint for all sites')
    return commonTools(sites).flatMap(({ operation, tool }) =>
      each(operation, (bearer) => askTool(accountPageUrl, tool.name, bearer)),
    )
  return sites.flatMap(({ kind, operations }) => {
    const base = String(baseUrls[kind.name])
    if (place === 'a site’s API') return operations.flatMap((one) => each(one, (bearer) => askHttp(base, one, bearer)))
    return toolsOf(kind, operations).flatMap(({ operation, tool }) =>
      each(operation, (bearer) => askTool(base, tool.name, bearer)),
    )
  })
}

/** The differences between a cell's answer and the contract. */
async function check(cell: Cell): Promise<string[]> {
  const { operation, bearer, place } = cell
  const outcome = expected(cell)
  const { status, code, challenge } = await cell.ask()
  const isAdmitted = code === undefined || !refusals.includes(code)
  const faults = [
    ...(outcome === 'admitted' ? (isAdmitted ? [] : [`is refused: ${code}`]) : code === outcome ? [] : [`${code}`]),
    ...(status >= 500 ? [`fails: ${status}`] : []),
    ...(outcome === 'invalid_api_key' && status !== 401 ? [`has the status ${status}`] : []),
  ]
  if (place === 'the endpoint for all sites' && bearer.kind === 'app' && outcome !== 'admitted') {
    const word = outcome === 'insufficient_scope' ? 'insufficient_scope' : 'invalid_token'
    if (!challenge.includes(`error="${word}"`)) faults.push(`has the challenge ${challenge}`)
    const required = operation.scopes?.[0] ?? ''
    if (outcome === 'insufficient_scope' && !(status === 403 && challenge.includes(required)))
      faults.push(`does not ask for ${required}`)
  }
  const what = `${operation.id} at ${place} with the ${bearer.kind} for ${bearer.scope}, ${bearer.state}`
  return faults.map((fault) => `${what}: ${outcome} expected, but it ${fault}`)
}

const atATime = 12

async function checkAll(all: readonly Cell[]): Promise<string[]> {
  const queue = [...all]
  const faults: string[] = []
  const work = async () => {
    for (let cell = queue.pop(); cell; cell = queue.pop()) faults.push(...(await check(cell)))
  }
  await Promise.all(Array.from({ length: atATime }, work))
  return faults
}

suite('the matrix of operations, scopes, keys and tokens', () => {
  const groups: [State, Place][] = [
    ['valid', 'the endpoint for all sites'],
    ['valid', 'a site’s MCP endpoint'],
    ['valid', 'a site’s API'],
    ...states
      .filter((state) => state !== 'valid')
      .map((state): [State, Place] => [state, 'the endpoint for all sites']),
  ]
  for (const [state, place] of groups)
    test(`${state}, at ${place}`, async (context) => {
      // Access tokens last 15 minutes.
      service.clock.setOffset(state === 'expired' ? 901_000 : 0)
      const all = cellsOf(state, place)
      assert.ok(all.length > 20 * scopeNames.length, `${all.length} cells`)
      cells += all.length
      const faults = await checkAll(all)
      service.clock.setOffset(0)
      assert.deepEqual(faults, [])
      context.diagnostic(`${all.length} cells, ${cells} so far`)
    })

  test('every operation with a scope is in a cell that admits and in one that refuses', () => {
    const scoped = sites.flatMap(({ operations }) => operations.filter(({ scopes }) => scopes !== undefined))
    assert.ok(scoped.length > 20)
    for (const { id, scopes = [], access, method } of scoped) {
      assert.ok(access === 'key' && method !== 'GET', id)
      assert.ok(scopes.length > 0 && scopeNames.some((name: Scope) => !scopes.includes(name)), id)
    }
  })

  test('no call changed anything', async () => {
    const tables = ['posts', 'webhooks', 'reports', 'relayed_messages']
    for (const table of tables) assert.deepEqual(await service.asOwner(`select from ${table}`), [], table)
  })
})
