import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Host, network, openHost, openNetwork } from '../../../../tooling/network/host.ts'
import { findBinaries } from '../../../../tooling/services/postgres.ts'
import { giveTo, repoDir, waitFor } from '../../../../tooling/services/state.ts'

const templates = join(repoDir, 'deploy/patroni')
const numbers = [1, 2, 3] as const
const haproxyListen = '127.0.0.1:5000'
const password = 'cluster'

export type Cluster = Awaited<ReturnType<typeof startCluster>>

type Member = { name: string; role: string; state: string; timeline?: number }

/**
 * Three hosts with etcd, Patroni and PostgreSQL, and HAProxy beside this process. All of them use the files that an
 * operator gets from `deploy/patroni/render`.
 */
export async function startCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-cluster-'))
  chmodSync(folder, 0o755)
  const logs = join(folder, 'logs')
  let keepsLogs = true
  mkdirSync(logs)
  await openNetwork()
  const hosts: Host[] = []
  for (const number of numbers) hosts.push(await openHost(number))
  for (const { number } of hosts) renderNode(folder, number)
  giveTo('postgres', folder)
  const startEtcd = ({ number, start }: Host) =>
    start({
      name: 'etcd',
      command: ['etcd'],
      env: readVariables(join(nodeFolder(folder, number), 'etcd')),
      logFile: join(logs, `etcd-${number}.log`),
    })
  const startPatroni = ({ number, start }: Host) =>
    start({
      name: 'patroni',
      command: ['patroni', join(nodeFolder(folder, number), 'patroni.yml')],
      logFile: join(logs, `patroni-${number}.log`),
    })
  const startNode = (host: Host) => {
    if (host.pids(isEtcd).length === 0) startEtcd(host)
    startPatroni(host)
  }

  const [first, ...others] = hosts as [Host, ...Host[]]
  for (const host of hosts) startEtcd(host)
  await waitFor(() => isHealthy(first), `etcd to elect a leader. See ${logs}`)
  startPatroni(first)
  await waitFor(async () => isPrimary(first), `the first node to become the primary. See ${logs}`)
  for (const host of others) startPatroni(host)
  const haproxy = startHaproxy(folder, logs)
  const untilWhole = () => waitFor(() => isWhole(hosts), `three nodes on one timeline. See ${logs}`)
  await untilWhole()
  return {
    adminUrl: `postgres://postgres:${password}@${haproxyListen}/postgres`,
    hosts,
    /** The logs of all nodes are kept if something failed, or if the result was never checked. */
    logsIf: (isBroken: boolean) => {
      keepsLogs = isBroken
      return isBroken ? { cluster_logs: logs } : {}
    },
    startNode,
    /** The host whose Patroni holds the lock. */
    primary: () => findPrimary(hosts),
    /** When another host than this one has become the primary, in milliseconds of the machine's clock. */
    takenOverFrom: async (lost: Host): Promise<number> => {
      const others = hosts.filter((host) => host !== lost)
      await waitFor(async () => (await findPrimary(others)) !== undefined, `another primary. See ${logs}`)
      return Date.now()
    },
    /** PostgreSQL begins a new timeline with each promotion. */
    timeline: async (): Promise<number> => {
      const primary = await findPrimary(hosts)
      return primary ? Number((await membersOf(primary)).find(({ role }) => role === 'leader')?.timeline) : Number.NaN
    },
    /** Waits until all nodes are back and one of them is a synchronous standby. */
    untilWhole: async () => {
      // A node that was just reconnected still reports the past.
      await sleep(2_500)
      await untilWhole()
    },
    /** Ends all processes and removes the data. */
    [Symbol.asyncDispose]: async () => {
      haproxy.kill()
      for (const host of hosts) await host.close()
      const rest = keepsLogs ? numbers.map((number) => nodeFolder(folder, number)) : [folder]
      for (const path of rest) rmSync(path, { recursive: true, force: true })
    },
  }
}

export const isEtcd = (command: string) => command.startsWith('etcd')
/** PostgreSQL's processes rename themselves: `postgres: checkpointer`. */
export const isPostgres = (command: string) => /^(\S*\/)?postgres\b/.test(command)

const nodeFolder = (folder: string, number: number) => join(folder, `node-${number}`)

/** Writes the files of a node as an operator does, from a `cluster.env` with the values of this run. */
export function renderNode(folder: string, number: number): string {
  const node = nodeFolder(folder, number)
  for (const name of ['data', 'etcd-data', 'sockets']) mkdirSync(join(node, name), { recursive: true, mode: 0o700 })
  const values = {
    SCOPE: 'chaos',
    ...Object.fromEntries(numbers.map((number) => [`NODE_${number}`, `${network}.${number}`])),
    APPLICATION_NETWORK: `${network}.9/32`,
    ADMIN_NETWORK: `${network}.9/32`,
    HAPROXY_LISTEN: haproxyListen,
    SUPERUSER_PASSWORD: password,
    REPLICATION_PASSWORD: 'replication',
    REWIND_PASSWORD: 'rewind',
    REST_PASSWORD: 'rest',
    POSTGRES_BIN: findBinaries(folder),
    POSTGRES_DATA: join(node, 'data'),
    POSTGRES_SOCKETS: join(node, 'sockets'),
    PATRONI_PGPASS: join(node, 'pgpass'),
    ETCD_DATA: join(node, 'etcd-data'),
    SHARED_BUFFERS: '128MB',
    MAX_CONNECTIONS: '200',
    // The nodes share a machine, which none of them may reset.
    WATCHDOG_MODE: 'off',
  }
  const file = join(node, 'cluster.env')
  writeFileSync(
    file,
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  execFileSync(join(templates, 'render'), [file, 'node', String(number), node])
  return node
}

/** Writes haproxy.cfg into the folder. The nodes must have been rendered. */
export function renderHaproxy(folder: string): string {
  execFileSync(join(templates, 'render'), [join(nodeFolder(folder, 1), 'cluster.env'), 'haproxy', folder])
  return join(folder, 'haproxy.cfg')
}

function readVariables(file: string): NodeJS.ProcessEnv {
  const lines = readFileSync(file, 'utf8').split('\n')
  return Object.fromEntries(lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)))
}

function startHaproxy(folder: string, logs: string): ChildProcess {
  const log = openSync(join(logs, 'haproxy.log'), 'a')
  return spawn('haproxy', ['-db', '-f', renderHaproxy(folder)], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: ['ignore', log, log],
  })
}

const ask = (url: string, method = 'GET') => fetch(url, { method, signal: AbortSignal.timeout(1_000) })

const isHealthy = async ({ address }: Host) =>
  ((await (await ask(`http://${address}:2379/health`)).json()) as { health: string }).health === 'true'

/** Only the holder of the lock answers with 200. The list of members on a node that was cut off is out of date. */
const isPrimary = async ({ address }: Host) =>
  (await ask(`http://${address}:8008/primary`, 'OPTIONS').catch(() => null))?.status === 200

async function findPrimary(hosts: readonly Host[]): Promise<Host | undefined> {
  const answers = await Promise.all(hosts.map(isPrimary))
  return hosts.find((_, at) => answers[at])
}

const membersOf = async ({ address }: Host) =>
  ((await (await ask(`http://${address}:8008/cluster`)).json()) as { members: Member[] }).members

async function isWhole(hosts: readonly Host[]): Promise<boolean> {
  const primary = await findPrimary(hosts)
  if (!primary) return false
  const members = await membersOf(primary)
  const leader = members.find(({ role }) => role === 'leader')
  return (
    members.length === hosts.length &&
    leader?.name === `pg${primary.number}` &&
    members.some(({ role }) => role === 'sync_standby') &&
    members.every(({ state, timeline }) => ['running', 'streaming'].includes(state) && timeline === leader.timeline)
  )
}
