import { deskRoutes } from '../../../../src/desk/routes.ts'
import { kinds } from '../../../../src/kinds/index.ts'
import { commonTools, toolsOf } from '../../../../src/mcp/tools/describe-tool.ts'
import { operationsOf } from '../../../../src/operations.ts'
import { ownerRoutes } from '../../../../src/owner-page/routes.ts'
import type { Random } from '../../../../tooling/random.ts'
import { filledPath, oddFields, oddText, spoil } from './odd-values.ts'

export type DoorName = 'api' | 'mcp' | 'owner page' | 'desk' | 'search page'
export type DoorRequest = { method: string; url: string; headers: Record<string, string>; body?: string }
export type Session = { token: string; csrf: string }

export type Doors = {
  baseUrls: Readonly<Record<string, string>>
  ownerPageUrl: string
  deskUrl: string
  apiKeys: readonly string[]
  owner: () => Session
  staff: () => Session
}

const sites = kinds.map((kind) => {
  const operations = operationsOf(kind)
  return { kind, operations, tools: toolsOf(kind, operations) }
})

/** Tools of the server for all sites, each as it works for one kind. */
const toolsForKinds = commonTools(sites).flatMap(({ tool, operation, choice }) =>
  [...(choice?.operations ?? [['', operation] as const])].map(([kind, one]) => ({
    tool,
    operation: one,
    given: choice?.by === 'kind' ? { kind } : {},
  })),
)

/** Most requests have a valid key or session, so that their content is read. */
const maybe = (random: Random, name: string, value: string): Record<string, string> => {
  if (random.chance(0.8)) return { [name]: value }
  return random.chance(0.5) ? {} : { [name]: printable(oddText(random)) }
}

/** A header cannot have other characters; requests with malformed headers are those of `fuzz -- requests`. */
const printable = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?')

const bearer = (random: Random, { apiKeys }: Doors) =>
  random.chance(0.8) ? { authorization: `Bearer ${random.pick(apiKeys)}` } : maybe(random, 'authorization', 'Bearer')

/** One way in: how a request with a well-formed head and an odd content looks there. */
export const doorRequests: Record<DoorName, (random: Random, doors: Doors) => DoorRequest> = {
  api: (random, doors) => {
    const { kind, operations } = random.pick(sites)
    const operation = random.pick(operations)
    const examples = operation.examples as { params?: object; query?: object; body?: unknown }
    const query = oddFields((examples.query ?? {}) as Record<string, unknown>, random)
    const path = filledPath(operation.path, (examples.params ?? {}) as Record<string, unknown>, random)
    const key = random.chance(0.3) ? maybe(random, 'idempotency-key', crypto.randomUUID()) : {}
    return {
      method: operation.method,
      url: `${doors.baseUrls[kind.name]}${path}${query.size > 0 ? `?${query}` : ''}`,
      headers: { ...bearer(random, doors), ...key, 'content-type': 'application/json' },
      ...(operation.body && { body: JSON.stringify(spoil(examples.body ?? {}, random)) }),
    }
  },
  mcp: (random, doors) => {
    const { kind, tools } = random.pick(sites)
    const isCommon = random.chance(0.3)
    const { tool, operation, given } = isCommon ? random.pick(toolsForKinds) : { ...random.pick(tools), given: {} }
    const { params = {}, query = {}, body = {} } = operation.examples as Record<string, object>
    const call = {
      jsonrpc: '2.0',
      id: random.below(1_000),
      method: random.chance(0.9) ? 'tools/call' : random.pick(['tools/list', 'initialize', 'ping', 'resources/list']),
      params: { name: tool.name, arguments: spoil({ ...given, ...params, ...query, ...body }, random) },
    }
    return {
      method: 'POST',
      url: `${isCommon ? doors.ownerPageUrl : doors.baseUrls[kind.name]}/mcp`,
      headers: {
        ...bearer(random, doors),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(random.chance(0.3) ? spoil(call, random) : call),
    }
  },
  'owner page': (random, doors) =>
    pageRequest(random, { origin: doors.ownerPageUrl, cookie: 'broadside_owner', session: doors.owner() }, ownerRoutes),
  desk: (random, doors) =>
    pageRequest(random, { origin: doors.deskUrl, cookie: 'broadside_desk', session: doors.staff() }, deskRoutes),
  'search page': (random, doors) => {
    const usual = { q: 'ferry', kind: 'message', topic: 'ferries' }
    const { kind } = random.pick(sites)
    const { authorization: _, ...headers } = bearer(random, doors)
    return { method: 'GET', url: `${doors.baseUrls[kind.name]}/search?${oddFields(usual, random)}`, headers }
  },
}

type Page = { origin: string; cookie: string; session: Session }
type Route = { method: string; path: string; form?: { shape: object } | undefined }

function pageRequest(random: Random, { origin, cookie, session }: Page, routes: readonly Route[]): DoorRequest {
  const { method, path, form } = random.pick(routes)
  const url = `${origin}${filledPath(path, {}, random)}`
  const headers = maybe(random, 'cookie', `${cookie}=${session.token}`)
  if (method === 'GET')
    return { method, url: `${url}?${oddFields({ page: '1', kind: 'review', q: 'a' }, random)}`, headers }
  const names = Object.keys(form?.shape ?? {})
  const usual = { csrf: session.csrf, ...Object.fromEntries(names.map((name) => [name, 'keep'])) }
  const fields = oddFields(usual, random)
  if (random.chance(0.9)) fields.set('csrf', session.csrf)
  return {
    method,
    url,
    headers: {
      ...headers,
      ...maybe(random, 'origin', origin),
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: String(fields),
  }
}
