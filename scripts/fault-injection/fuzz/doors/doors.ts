import { readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startOwnerSession } from '../../../../src/accounts/sign-in/sessions.ts'
import { csrfTokenOf } from '../../../../src/accounts/sign-in/tokens.ts'
import { connect, inTransaction } from '../../../../src/platform/database/database.ts'
import { openStaff } from '../../../../tooling/clients/staff.ts'
import { median } from '../../../../tooling/median.ts'
import { randomFor } from '../../../../tooling/random.ts'
import { type Environment, openEnvironment } from '../../chaos/environment.ts'
import { type DoorName, type DoorRequest, type Doors, doorRequests } from './requests.ts'

type Options = { count: number; seed: number; first: number; onAnswer: (done: number, total: number) => void }
type Failure = { seed: number; index: number; door: DoorName; request: string; reason: string }

const doorNames = Object.keys(doorRequests) as DoorName[]
const connections = 16
/** Memory rises and falls with each garbage collection, so the median of many samples stands for a tenth of the run. */
const samplesPerTenth = 20
const toleratedGrowth = 1.2
/** A shorter run says nothing about memory. */
const leastToJudgeMemory = 50_000
/** Random forms sign out and end sessions, so new ones are opened now and then. */
const requestsPerSession = 500

/**
 * Sends requests with odd contents to the API, MCP, the owner page, the desk and the search page of real processes. None
 * responds with a 5xx, none of the processes ends, and their memory stays.
 */
export async function fuzzDoors({ count, seed, first, onAnswer }: Options) {
  await using environment = await openEnvironment({
    ...{ driver: 'always-on', workers: 1 },
    // Otherwise the owner page would report that the provider cannot be reached.
    settings: { PAYMENTS_DRIVER: 'manual' },
  })
  const pages = [await environment.startOwnerPage(), await environment.startDesk()]
  const processes = [...environment.apis, ...pages]
  const { doors, renewSessions } = await openDoors(environment)
  const agent = new Agent({ keepAlive: true, maxSockets: connections * 2 })
  const failures: Failure[] = []
  const statuses = Object.fromEntries(doorNames.map((name) => [name, {} as Record<string, number>]))
  const memoryOf = () => Object.fromEntries(processes.map(({ name, pid }) => [name, residentBytes(pid())]))
  let next = first
  let sent = 0
  const samples: Record<string, number>[] = []
  async function sendNext(): Promise<void> {
    while (next < first + count) {
      const index = next++
      const random = randomFor(seed, index)
      const door = doorNames[index % doorNames.length] as DoorName
      if (index % requestsPerSession === 0) await renewSessions()
      const request = doorRequests[door](random, doors)
      const status = await decidedStatus(request, agent)
      const counts = statuses[door] ?? {}
      counts[status] = (counts[status] ?? 0) + 1
      if (typeof status === 'string' || status >= 500)
        failures.push({
          seed,
          index,
          door,
          request: `${request.method} ${request.url}`.slice(0, 200),
          reason: String(status),
        })
      sent++
      if (sent % Math.ceil(count / (10 * samplesPerTenth)) === 0) samples.push(memoryOf())
      onAnswer(sent, count)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendNext))
  agent.destroy()
  const megabytes = (name: string) => mediansOf(samples.map((sample) => Number(sample[name]) / 1e6))
  const memory = processes.map(({ name }) => ({ name, megabytes: megabytes(name) }))
  const growthOf = (series: number[]) => Math.round((Number(series.at(-1)) / Number(series[0])) * 100) / 100
  const broken = [
    ...processes.flatMap(({ deaths }) => deaths),
    ...memory
      .filter(({ megabytes }) => count >= leastToJudgeMemory && growthOf(megabytes) > toleratedGrowth)
      .map(({ name, megabytes }) => `the memory of ${name} grew by a factor of ${growthOf(megabytes)}`),
  ]
  return {
    sent,
    statuses,
    memory: Object.fromEntries(memory.map(({ name, megabytes }) => [name, megabytes.join(' ')])),
    ...environment.logsIf(broken.length + failures.length > 0),
    failures: [...failures.slice(0, 50), ...broken],
  }
}

async function openDoors(environment: Environment) {
  const { baseUrls, settings, database, query } = environment
  const accounts = await environment.createAccounts(5, 1_000_000_000)
  const ownerPageUrl = String(settings.ACCOUNT_PAGE_URL)
  const deskUrl = String(settings.DESK_URL)
  const place = { clock: { now: () => new Date() }, asOwner: query, deskUrl } as Parameters<typeof openStaff>[0]
  const sessions = { owner: { token: '', csrf: '' }, staff: { token: '', csrf: '' } }
  const renewSessions = async () => {
    await using connection = connect(database.urls.owner_page, { poolMax: 1, applicationName: 'fuzz owner' })
    const accountId = String(accounts[0]?.id)
    const token = await inTransaction(connection.db, (tx) =>
      startOwnerSession(tx, { accountId, browser: 'Firefox on Linux', at: new Date() }),
    )
    sessions.owner = { token, csrf: csrfTokenOf(token) }
    const staff = await openStaff(place, { role: 'admin' })
    sessions.staff = { token: staff.token, csrf: staff.csrf }
  }
  await renewSessions()
  const doors: Doors = {
    ...{ baseUrls, ownerPageUrl, deskUrl, apiKeys: accounts.map(({ apiKey }) => apiKey) },
    owner: () => sessions.owner,
    staff: () => sessions.staff,
  }
  return { doors, renewSessions }
}

/** How often a busy service may ask to try again later. */
const maxRetries = 100

/** A busy service answers some requests with 503 and Retry-After, whatever they contain. These are sent again. */
async function decidedStatus(request: DoorRequest, agent: Agent): Promise<number | string> {
  for (let retries = 0; ; retries++) {
    const status = await statusOf(request, agent)
    if (status !== 503 || retries === maxRetries) return status
    await sleep(200)
  }
}

const statusOf = ({ method, url, headers, body }: DoorRequest, agent: Agent): Promise<number | string> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sending = send(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      response.resume()
      // GET /v1/stream has no end.
      if (method === 'GET' && response.headers['content-type']?.startsWith('text/event-stream')) {
        resolve(Number(response.statusCode))
        response.destroy()
        return
      }
      response.once('end', () => resolve(Number(response.statusCode)))
      response.once('error', (error) => resolve(error.message))
    })
    sending.once('error', (error) => resolve(error.message))
    sending.end(body)
  })

/** The median of each tenth of the series. */
const mediansOf = (series: readonly number[]): number[] =>
  Array.from({ length: Math.ceil(series.length / samplesPerTenth) }, (_, tenth) => {
    const samples = series.slice(tenth * samplesPerTenth, (tenth + 1) * samplesPerTenth)
    return Math.round(median(samples))
  })

const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024
