import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startDelayingProxy } from '../network/delaying-proxy.ts'
import { findBinaries, runAsPostgres, waitSeconds } from './postgres.ts'
import { giveTo, quietPort, waitFor } from './state.ts'

/**
 * A primary and a synchronous standby, both with their own data on disk. Everything between the two passes a proxy that
 * can delay it, so a commit takes at least twice that delay.
 */
export async function startReplicatedPostgres() {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'broadside-replicated-'))
  giveTo('postgres', folder)
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [primaryPort, standbyPort] = [await quietPort(), await quietPort()]
  const primary = join(folder, 'primary')
  const standby = join(folder, 'standby')
  mkdirSync(primary, { mode: 0o700 })
  giveTo('postgres', primary)
  const bin = findBinaries(primary)
  const control = (data: string, ...args: string[]) =>
    runAsPostgres(bin, 'pg_ctl', ['-D', data, '-w', '-t', waitSeconds, ...args])
  const start = async (data: string) => {
    await control(data, '-l', join(data, 'server.log'), 'start')
    stack.defer(() => control(data, '-m', 'immediate', 'stop'))
  }
  await runAsPostgres(bin, 'initdb', ['-D', primary, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'])
  appendFileSync(join(primary, 'postgresql.conf'), `${[...settings, `port = ${primaryPort}`].join('\n')}\n`)
  await start(primary)
  const proxy = stack.use(await startDelayingProxy({ host: '127.0.0.1', port: primaryPort }))
  const source = ['-h', '127.0.0.1', '-p', String(proxy.port), '-U', 'postgres']
  await runAsPostgres(bin, 'pg_basebackup', ['-D', standby, ...source, '-R', '-X', 'stream', '-c', 'fast'])
  appendFileSync(join(standby, 'postgresql.conf'), `port = ${standbyPort}\n`)
  await start(standby)
  const adminUrl = `postgres://postgres@127.0.0.1:${primaryPort}/postgres`
  await makeSynchronous(adminUrl)
  const moved = stack.move()
  const standbyUrl = `postgres://postgres@127.0.0.1:${standbyPort}/postgres`
  return { adminUrl, standbyUrl, setDelay: proxy.setDelay, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

const settings = [
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  'max_connections = 200',
  'shared_buffers = 256MB',
  'max_wal_size = 4GB',
]

/** Only now, because without a standby no commit would complete. */
async function makeSynchronous(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query("alter system set synchronous_standby_names = '*'")
    await admin.query('select pg_reload_conf()')
    const isSynchronous = async () =>
      (await admin.query("select from pg_stat_replication where sync_state = 'sync'")).rowCount === 1
    await waitFor(isSynchronous, 'the standby to become synchronous')
  } finally {
    await admin.end()
  }
}
