import { type ChildProcess, spawn } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join, resolve } from 'node:path'
import { gatewayFiles, writeGatewayFiles } from '../../src/bin/gateway/configuration.ts'
import type { Gateway } from '../../src/bin/gateway/gateway.ts'
import { type GatewayLimits, usualLimits } from '../../src/bin/gateway/limit-values.ts'
import type { GatewayProblem } from '../../src/bin/gateway/problems.ts'
import { kinds } from '../../src/kinds/index.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import { errorPages } from '../../src/publishing/pages/all-error-pages.ts'
import { siteViews } from '../../src/publishing/views.ts'
import { asUser, giveTo, runningPid, stopProcess, waitFor } from './state.ts'

export interface GatewayOptions {
  /** The working folder of this nginx, with its configuration, log and temporary files. */
  directory: string
  /** `root` contains the site's static files. If the caller is root, www-data must be able to read it. */
  sites: { name: string; port: number; baseUrl: string; root: string }[]
  ownerPage: { port: number; baseUrl: string; upstreamPort: number }
  desk: { port: number; baseUrl: string; upstreamPort: number }
  apiPorts: number[]
  /** The process that draws cards. Default: none. */
  cardsPort?: number
  requestsPerSecond: number
  burst: number
  problems: readonly GatewayProblem[]
  /** By default those of the sites. */
  errorPages?: ReadonlyMap<string, string>
  secret: KeyObject
  /** The bucket with the pages, instead of the folders. */
  store?: NonNullable<Gateway['store']>
  elsewhere?: NonNullable<Gateway['elsewhere']>
  ceiling?: NonNullable<Gateway['ceiling']>
  trustedProxies?: readonly string[]
  proxyProtocol?: boolean
  /** What one address may do. Default: nearly everything, because tests send everything from one address. */
  limits?: GatewayLimits
  /** The file of the access log, relative to the working folder. */
  accessLog?: string
  /** The CDN in front of the gateway. */
  cdn?: 'fastly' | 'cloudflare'
  /** Whether nginx outlives the caller. */
  detached: boolean
}

const user = 'www-data'

const closedPort = 1

/** The value that a gateway sends for this GATEWAY_SECRET. */
export function firstSecret(values: string): KeyObject {
  const [first] = settings.GATEWAY_SECRET.parse(values)
  if (!first) throw new Error('GATEWAY_SECRET needs at least one value.')
  return first
}

/**
 * Starts a gateway in its folder and replaces one that still runs there. Resolves when its ports accept connections.
 */
export function startNginx(options: GatewayOptions): Promise<RunningNginx> {
  return runNginx({ ...options, files: configurationOf(options), ports: portsOf(options) })
}

export type RunningNginx = {
  stop(): Promise<void>
  directory: string
  /** The main process and its workers. */
  pids(): number[]
}

type Configured = { directory: string; files: ReadonlyMap<string, string>; ports: readonly number[]; detached: boolean }

/** Starts nginx with these configuration files and replaces one that still runs in the folder. */
export async function runNginx({ files, ports, detached, ...options }: Configured): Promise<RunningNginx> {
  const directory = resolve(options.directory)
  const binary = findNginx()
  await stopNginx(directory)
  // An nginx that was killed leaves its sockets behind, and the next one could not create them.
  rmSync(join(directory, 'sockets'), { recursive: true, force: true })
  await writeGatewayFiles(directory, files)
  writeFileSync(join(directory, 'start.log'), '')
  giveTo(user, directory)
  const child = spawnNginx(binary, directory, detached)
  try {
    await untilReady(child, directory, ports)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return { directory, stop: () => stopNginx(directory), pids: () => pidsIn(directory) }
}

/** Each origin has its own loopback port and accepts every host name there. */
function configurationOf({ sites, ownerPage, desk, ...options }: GatewayOptions): Map<string, string> {
  const onPort = <Server extends { port: number }>(server: Server) => ({
    ...server,
    listen: [`127.0.0.1:${server.port}`],
  })
  return gatewayFiles({
    ...options,
    cardsPort: options.cardsPort ?? closedPort,
    directory: resolve(options.directory),
    limits: options.limits ?? testLimits,
    errorPages: options.errorPages ?? errorPages(siteViews(servedSites(sites)).values()),
    sites: sites.map(onPort),
    ownerPage: onPort(ownerPage),
    desk: onPort(desk),
    workers: { processes: 2, connections: 8_192 },
  })
}

const servedSites = (sites: GatewayOptions['sites']) =>
  new Map(
    kinds.flatMap((kind) => {
      const served = sites.find(({ name }) => name === kind.site.slug)
      return served ? [[kind.name, { kind, baseUrl: served.baseUrl }] as const] : []
    }),
  )

function pidsIn(directory: string): number[] {
  const main = runningPid(join(directory, 'nginx.pid'), `${directory}/`)
  if (!main) return []
  const workers = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return [main, ...workers.map(Number)]
}

const anyRate = { perMinute: 6_000_000, burst: 100_000 }

export const testLimits: GatewayLimits = {
  ...usualLimits,
  connections: 10_000,
  apiRequestsInProgress: 10_000,
  streams: 10_000,
  streamOpenings: { perSecond: 100_000, burst: 10_000 },
  streamOpeningsOfAddress: { perMinute: 100_000, burst: 10_000 },
  pageRequestsInProgress: 10_000,
  ownerPage: anyRate,
  ownerForms: anyRate,
  ownerEmails: anyRate,
  ownerEmailsTogether: anyRate,
  desk: anyRate,
  cards: anyRate,
  cardsTogether: { perSecond: 100_000, burst: 100_000 },
  paymentEvents: anyRate,
  apps: anyRate,
  appRegistrations: anyRate,
}

/** Stops the gateway of that folder if it is running. */
export async function stopNginx(directory: string): Promise<void> {
  const pid = runningPid(join(directory, 'nginx.pid'), `${resolve(directory)}/`)
  if (pid) await stopProcess(pid)
  rmSync(join(directory, 'nginx.pid'), { force: true })
}

export function findNginx(): string {
  // Debian installs nginx in sbin, which is not in the PATH of a normal user.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const found = folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file))
  if (!found) throw new Error('nginx was not found. Run scripts/setup.')
  return found
}

function spawnNginx(binary: string, directory: string, detached: boolean): ChildProcess {
  const nginx = [binary, '-p', `${directory}/`, '-c', 'nginx.conf', '-e', 'error.log']
  // The kernel kills nginx when the caller dies, even by SIGKILL, so a crashed test leaves no gateway behind.
  const lifetime = detached ? [] : ['--pdeathsig', 'TERM']
  const [command = '', ...rest] = asUser(user, nginx, lifetime)
  const output = openSync(join(directory, 'start.log'), 'a')
  const child = spawn(command, rest, { cwd: '/', detached, stdio: ['ignore', output, output] })
  closeSync(output)
  child.unref()
  return child
}

const portsOf = ({ sites, ownerPage, desk }: GatewayOptions) => [...sites, ownerPage, desk].map(({ port }) => port)

async function untilReady(child: ChildProcess, directory: string, ports: readonly number[]): Promise<void> {
  const log = join(directory, 'start.log')
  let ended = false
  child.once('error', () => {
    ended = true
  })
  child.once('exit', () => {
    ended = true
  })
  const isReady = async () => {
    // nginx writes its pid file only after it has bound all ports. An open port alone could belong to another process.
    if (ended || !runningPid(join(directory, 'nginx.pid'), `${directory}/`)) return ended
    return (await Promise.all(ports.map(accepts))).every(Boolean)
  }
  await waitFor(isReady, `nginx to listen on ${ports.join(', ')}. See ${log} and ${join(directory, 'error.log')}`)
  if (ended) throw new Error(`nginx exited while starting in ${directory}: ${readFileSync(log, 'utf8').trim()}`)
}

function accepts(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => answer(false))
    socket.once('connect', () => {
      socket.destroy()
      answer(true)
    })
  })
}
