import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { kinds } from '../../src/kinds/index.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import type { SettingName } from '../../src/platform/settings/settings.ts'
import { openApiClient } from '../clients/api-client.ts'
import { type OwnDatabase, withDefaultConnectTimeout } from '../services/databases.ts'
import { developmentSettings } from '../services/development.ts'
import { answers } from '../services/stack.ts'
import { quietPort, stateDir, stopProcess, waitFor } from '../services/state.ts'

export type TestSettings = Partial<Record<SettingName, string>>

/** `npm test` bundles the program once for many processes: see scripts/testing/bundle-program.ts. */
export const program =
  process.env['BROADSIDE_TEST_PROGRAM'] ?? fileURLToPath(new URL('../../src/bin/broadside.ts', import.meta.url))

/**
 * A short command spends half of its time compiling TypeScript. Node caches the result by file content, so the cache is
 * never stale.
 */
const compileCache = join(stateDir(), 'compile-cache')

export type Running = ReturnType<typeof spawnBroadside>

/** A real child process of the program with only these settings, stopped when it leaves scope. */
export const spawnBroadside = (settings: NodeJS.ProcessEnv, ...args: string[]) =>
  spawnNode(settings, [program, ...args])

/** The same for a plain Node script, when a test needs only part of the program. */
export function spawnNode(settings: NodeJS.ProcessEnv, args: readonly string[]) {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache, ...settings }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    pid: Number(child.pid),
    output,
    isRunning,
    /** The exit code, once the process has exited and its output has been read; null if a signal killed it. */
    ended,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    [Symbol.asyncDispose]: async () => {
      // `start` needs time to stop its children. SIGKILL would leave them running.
      if (isRunning()) await stopProcess(Number(child.pid))
      await ended
    },
  }
}

/** Runs a command of the program to completion. `json` is its output if that was JSON. */
export async function runOperator(settings: NodeJS.ProcessEnv, ...args: string[]) {
  await using running = spawnBroadside(settings, ...args)
  const code = await running.ended
  return { code, ...running.output, json: jsonOf(running.output.stdout) }
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Settings for one API process on free ports. The process serves the messages site itself, without a gateway. */
export async function settingsFor({ adminUrl, urls }: OwnDatabase, changes: TestSettings = {}): Promise<TestSettings> {
  const [api, apiHealth, ownerPage, ownerPageHealth, desk, deskHealth, cards, cardsHealth, workerHealth, model] =
    await Promise.all(Array.from({ length: 10 }, quietPort))
  const baseUrlOf = (index: number) => (index === 0 ? `http://127.0.0.1:${api}` : `http://site-${index}.example`)
  return {
    ...developmentSettings(adminUrl, urls),
    BROADSIDE_ENVIRONMENT: 'test',
    SITES: kinds.map(({ name }, index) => `${name}=${baseUrlOf(index)}`).join(' '),
    ACCOUNT_PAGE_URL: `http://127.0.0.1:${ownerPage}`,
    DESK_URL: `http://127.0.0.1:${desk}`,
    DESK_PORT: String(desk),
    DESK_HEALTH_PORT: String(deskHealth),
    CARDS_PORT: String(cards),
    CARDS_HEALTH_PORT: String(cardsHealth),
    PAGES_DIRECTORY: join(stateDir(), 'test-pages', String(api)),
    API_PROCESSES: '1',
    API_PORT: String(api),
    API_HEALTH_PORT: String(apiHealth),
    OWNER_PAGE_PORT: String(ownerPage),
    OWNER_PAGE_HEALTH_PORT: String(ownerPageHealth),
    WORKER_HEALTH_PORT: String(workerHealth),
    MODEL_PORT: String(model),
    MODEL_URL: `http://127.0.0.1:${model}`,
    JUDGE_URL: `http://127.0.0.1:${model}`,
    ...changes,
  }
}

/** The same settings for production, which rejects the values for development and tests. */
export function asProduction(settings: TestSettings): TestSettings {
  const withHttps = (value: string | undefined) => String(value).replaceAll('http://', 'https://')
  return {
    ...settings,
    BROADSIDE_ENVIRONMENT: 'production',
    SITES: withHttps(settings.SITES),
    ACCOUNT_PAGE_URL: withHttps(settings.ACCOUNT_PAGE_URL),
    DESK_URL: withHttps(settings.DESK_URL),
    PAGES_DIRECTORY: join(tmpdir(), 'broadside-pages'),
    STRIPE_SECRET_KEY: `sk_live_${'0'.repeat(24)}`,
    ...{ STRIPE_API_URL: '', STRIPE_CHECKOUT_ORIGIN: '', OUTBOUND_TEST_RANGES: '', ACCOUNTS_PER_ADDRESS_PER_DAY: '' },
  }
}

export type ApiProcess = Awaited<ReturnType<typeof startApi>>

/** An API process that is ready for requests. */
export async function startApi(database: OwnDatabase, changes: TestSettings = {}) {
  const chosen = await settingsFor(database, changes)
  const settings = chosen.BROADSIDE_ENVIRONMENT === 'production' ? asProduction(chosen) : chosen
  await using starting = new AsyncDisposableStack()
  const running = starting.use(spawnBroadside(settings, 'api'))
  const baseUrl = `http://127.0.0.1:${settings.API_PORT}`
  const healthUrl = `http://127.0.0.1:${settings.API_HEALTH_PORT}`
  const isReadyOrGone = async () => !running.isRunning() || (await answers(`${healthUrl}/readyz`))
  await waitFor(isReadyOrGone, 'the API process to be ready')
  assert.ok(running.isRunning(), `the API process ended: ${running.output.stderr}`)
  const stack = starting.move()
  return {
    ...running,
    settings,
    port: Number(settings.API_PORT),
    baseUrl,
    healthUrl,
    client: (apiKey?: string) => openApiClient({ baseUrl, ...(apiKey && { apiKey }), maxRetries: 0 }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The address of the same database through a proxy that can be disconnected and reconnected. */
export async function startWire(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const link = (one: Socket, other: Socket) => {
    sockets.add(one)
    one.pipe(other)
    one.on('error', () => other.destroy())
    one.on('close', () => {
      sockets.delete(one)
      other.destroy()
    })
  }
  const server = createServer((incoming) => {
    const outgoing = connectSocket(Number(target.port || 5432), target.hostname)
    link(incoming, outgoing)
    link(outgoing, incoming)
  })
  const wirePort = await quietPort()
  const mend = async () => {
    server.listen(wirePort, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async () => {
    if (!server.listening) return
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  /** Keeps open connections but forwards nothing, like a network that drops every packet. */
  const silence = () => {
    for (const socket of sockets) socket.unpipe().pause()
  }
  await mend()
  const url = new URL(withDefaultConnectTimeout(databaseUrl))
  url.host = `127.0.0.1:${wirePort}`
  return { url: url.href, cut, mend, silence, [Symbol.asyncDispose]: cut }
}

/** Locks an account's row, so that calls that change it wait until the lock is released. */
export async function holdAccount({ adminUrl }: OwnDatabase, accountId: string) {
  const holder = new pg.Client({ connectionString: adminUrl, application_name: 'test holder' })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from accounts where id = $1 for update', [accountId])
  let isHeld = true
  const release = async () => {
    if (isHeld) await holder.end()
    isHeld = false
  }
  // Uses another connection, because the transaction that holds the lock always sees the same activity.
  const countWaiting = () =>
    asAdministrator(adminUrl, async (admin) => {
      const { rowCount } = await admin.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return Number(rowCount)
    })
  return {
    untilAwaited: (calls = 1) => waitFor(async () => (await countWaiting()) >= calls, 'a call to wait'),
    release,
    [Symbol.asyncDispose]: release,
  }
}

/** A connection that sends the given bytes. `ended` is everything received by the time the other side closes it. */
export async function openConnection(toPort: number) {
  const socket = connectSocket(toPort, '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  // A reset also ends the connection; the data received before it counts.
  socket.on('error', () => {})
  return { send: (text: string) => void socket.write(text), ended, [Symbol.dispose]: () => void socket.destroy() }
}

/** The live child processes of this process. */
export function childrenOf(parent: number): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, parentId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        if (Number(parentId) !== parent || state === 'Z') return []
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return [{ pid: Number(name), command }]
      } catch {
        return []
      }
    })
}
