import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
