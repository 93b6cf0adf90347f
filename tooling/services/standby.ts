import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findBinaries, runAsPostgres, waitSeconds } from './postgres.ts'
import { giveTo, quietPort } from './state.ts'

/**
 * A PostgreSQL server in recovery: a hot standby that replicates from nowhere. It answers queries and rejects writes
 * until it is promoted.
 */
export async function startStandby() {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-standby-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  giveTo('postgres', folder)
  giveTo('postgres', data)
  const bin = findBinaries(data)
  const port = await quietPort()
  await runAsPostgres(bin, 'initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  const settings = ["listen_addresses = '127.0.0.1'", `port = ${port}`, "unix_socket_directories = ''", 'fsync = off']
  appendFileSync(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`)
  writeFileSync(join(data, 'standby.signal'), '')
  const control = (...args: string[]) => runAsPostgres(bin, 'pg_ctl', ['-D', data, '-w', '-t', waitSeconds, ...args])
  await control('-l', join(data, 'server.log'), 'start')
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    promote: () => control('promote'),
    [Symbol.asyncDispose]: async () => {
      await control('-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A primary, and a replica that streams from it without holding up its commits. */
export async function startStreamingReplica() {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'broadside-replica-'))
  giveTo('postgres', folder)
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [primaryPort, replicaPort] = [await quietPort(), await quietPort()]
  const [primary, replica] = [join(folder, 'primary'), join(folder, 'replica')]
  mkdirSync(primary, { mode: 0o700 })
  giveTo('postgres', primary)
  const bin = findBinaries(primary)
  const control = (data: string, ...args: string[]) =>
    runAsPostgres(bin, 'pg_ctl', ['-D', data, '-w', '-t', waitSeconds, ...args])
  const start = (data: string) => control(data, '-l', join(data, 'server.log'), 'start')
  const kill = (data: string) => control(data, '-m', 'immediate', 'stop')
  await runAsPostgres(bin, 'initdb', ['-D', primary, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  appendFileSync(join(primary, 'postgresql.conf'), `${[...settings, `port = ${primaryPort}`].join('\n')}\n`)
  await start(primary)
  stack.defer(() => kill(primary))
  const source = ['-h', '127.0.0.1', '-p', String(primaryPort), '-U', 'postgres']
  await runAsPostgres(bin, 'pg_basebackup', ['-D', replica, ...source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
  appendFileSync(join(replica, 'postgresql.conf'), `port = ${replicaPort}\n`)
  await start(replica)
  let isRunning = true
  stack.defer(async () => {
    if (isRunning) await kill(replica)
  })
  const moved = stack.move()
  const asReplicaAdmin = async (text: string) => {
    const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${replicaPort}/postgres` })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  return {
    adminUrl: `postgres://postgres@127.0.0.1:${primaryPort}/postgres`,
    /** The same database and login at the replica. */
    atReplica: (url: string) => {
      const other = new URL(url)
      other.port = String(replicaPort)
      return other.href
    },
    pauseReplay: () => asReplicaAdmin('select pg_wal_replay_pause()'),
    resumeReplay: () => asReplicaAdmin('select pg_wal_replay_resume()'),
    killReplica: async () => {
      await kill(replica)
      isRunning = false
    },
    startReplica: async () => {
      await start(replica)
      isRunning = true
    },
    promoteReplica: () => control(replica, 'promote'),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

const settings = [
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  'max_connections = 100',
  'fsync = off',
  // A query at the replica is cancelled at once if it stands in the way of a change.
  'max_standby_streaming_delay = 0',
]
