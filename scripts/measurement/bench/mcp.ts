import assert from 'node:assert/strict'
import { mcpPath, mcpRevisions } from '../../../src/mcp/protocol/protocol.ts'
import { languages } from '../../../src/text-analysis/languages.ts'
import { decimal, readOptions, text, textOr, wholeNumber } from '../../../tooling/script-options.ts'
import { makeVocabulary } from '../../generation/seed/vocabulary.ts'
import { cpuSeconds } from './cpu-time.ts'
import { keptClient } from './raw-client.ts'
import { openSearchEnvironment, type SearchEnvironment } from './search/environment.ts'
import { percentile } from './search/report.ts'

const clients = 16
const posts = 10_000
/** The minimum median ratio of the calls a second to those of the JSON API. */
const bar = 0.5

/** A process needs a few thousand calls to reach its steady speed. */
const warmingSeconds = 2

const doors = ['json', 'modern', 'legacy'] as const
type Door = (typeof doors)[number]

/**
 * Runs the same two operations through the JSON API and both revisions of MCP, through the gateway to the same processes, at full speed and alternating, so that noise affects all three equally. Each round starts with a different interface.
 */
export async function benchMcp(args: string[]): Promise<void> {
  const { seconds, rounds, only, profile } = readOptions(args, {
    seconds: decimal(0.5),
    rounds: wholeNumber(9),
    only: textOr(''),
    profile: text('FOLDER'),
  })
  await using environment = await openSearchEnvironment(posts, profile)
  console.log(`${clients} connections, ${seconds} s per interface, alternating, ${rounds} rounds; bar: ratio ${bar}`)
  for (const { name, requestAt } of operations(environment).filter((one) => one.name.includes(only))) {
    for (const door of doors) await measure(environment, requestAt(door), warmingSeconds)
    const results: Record<Door, Result[]> = { json: [], modern: [], legacy: [] }
    for (let round = 0; round < rounds; round++)
      for (const turn of doors.keys()) {
        const door = doors[(round + turn) % doors.length] as Door
        results[door].push(await measure(environment, requestAt(door), seconds))
      }
    for (const door of doors) report(name, door, results)
  }
}

type Written = (apiKey: string) => string
type Measured = { name: string; requestAt: (door: Door) => Written }

/** The search uses a key, as almost all searches do, and finds a full page of posts. The status needs no key. */
function operations({ baseUrl }: SearchEnvironment): Measured[] {
  const { host } = new URL(baseUrl)
  const q = makeVocabulary(1).words.find((word) => !languages.en.functionWords.has(word)) as string
  const keyed = (apiKey: string) => `Authorization: Bearer ${apiKey}\r\n`
  return [
    {
      name: 'get_status',
      requestAt: (door) => () =>
        door === 'json' ? reading(host, '/v1/status') : calling(host, door, { name: 'get_status', arguments: {} }),
    },
    {
      name: 'search_posts',
      requestAt: (door) => (apiKey) =>
        door === 'json'
          ? reading(host, `/v1/search?q=${q}`, keyed(apiKey))
          : calling(host, door, { name: 'search_posts', arguments: { q } }, keyed(apiKey)),
    },
  ]
}

const reading = (host: string, path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n${more}\r\n`

const [modernRevision, legacyRevision] = mcpRevisions

type ToolCall = { name: string; arguments: object }

/** As the official client sends it. */
function calling(host: string, era: 'modern' | 'legacy', call: ToolCall, more = ''): string {
  const revision = era === 'modern' ? modernRevision : legacyRevision
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = era === 'modern' ? { ...call, _meta } : call
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const named = era === 'modern' ? `Mcp-Method: tools/call\r\nMcp-Name: ${call.name}\r\n` : ''
  return (
    `POST ${mcpPath} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json, text/event-stream\r\n${more}` +
    `MCP-Protocol-Version: ${revision}\r\n${named}` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

type Result = { perSecond: number; cpuMs: number; milliseconds: number[] }

let keysUsed = 0

async function measure(environment: SearchEnvironment, write: Written, seconds: number): Promise<Result> {
  const { port, apiPids, customer } = environment
  const milliseconds: number[] = []
  const cpuBefore = cpuSeconds(apiPids)
  const startedAt = performance.now()
  const until = startedAt + seconds * 1_000
  const lane = async () => {
    const client = keptClient(port, assertSuccess)
    while (performance.now() < until) {
      const answer = await client.send(write(String(customer.apiKeys[keysUsed++ % customer.apiKeys.length])))
      milliseconds.push(answer.milliseconds)
    }
    client.close()
  }
  await Promise.all(Array.from({ length: clients }, lane))
  const perSecond = milliseconds.length / ((performance.now() - startedAt) / 1_000)
  const cpuMs = ((cpuSeconds(apiPids) - cpuBefore) * 1_000) / milliseconds.length
  return { perSecond, cpuMs, milliseconds }
}

/** A tool call that is rejected also gets a 200. */
function assertSuccess(answer: Buffer): void {
  const isSuccess = answer.includes('HTTP/1.1 200 ') && !answer.includes('"isError":true')
  assert(isSuccess, `a call was refused: ${answer.toString('utf8', 0, 1_000)}`)
}

/** Each round's ratio is relative to the JSON API in the same round. */
function report(operation: string, door: Door, results: Record<Door, Result[]>): void {
  const own = results[door]
  const times = own.flatMap(({ milliseconds }) => milliseconds)
  const ratios = own.map(({ perSecond }, round) => perSecond / Number(results.json[round]?.perSecond))
  const ratio = percentile(ratios, 0.5)
  const row = {
    ...{ bench: 'mcp', operation, door },
    calls_per_second: Math.round(middle(own.map(({ perSecond }) => perSecond))),
    ...{ p50_ms: round2(percentile(times, 0.5)), p95_ms: round2(percentile(times, 0.95)) },
    api_cpu_ms_per_call: round2(middle(own.map(({ cpuMs }) => cpuMs))),
    ...(door !== 'json' && {
      ...{ ratio: round2(ratio), from: round2(Math.min(...ratios)), to: round2(Math.max(...ratios)), bar },
      passes: ratio >= bar,
    }),
  }
  console.log(JSON.stringify(row))
  if (door !== 'json' && ratio < bar) process.exitCode = 1
}

const middle = (values: readonly number[]) => percentile(values, 0.5)
const round2 = (value: number) => Math.round(value * 100) / 100
