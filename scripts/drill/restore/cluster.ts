import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../../../src/bin/command.ts'
import { asAdministrator, urlFor } from '../../../src/platform/database/database-setup.ts'
import { developmentDatabase, type RoleUrls } from '../../../tooling/services/databases.ts'
import { findBinaries, runAsPostgres, waitSeconds } from '../../../tooling/services/postgres.ts'
import { asUser, giveTo, isRoot, quietPort, repoDir, waitFor } from '../../../tooling/services/state.ts'

const run = promisify(execFile)
export const stanza = 'broadside'

/** Installs pgBackRest if it is missing. */
export function needPgBackRest(): void {
  if (spawnSync('pgbackrest', ['version']).status === 0) return
  if (!isRoot || !existsSync('/usr/bin/apt-get'))
    throw new CommandError('pgBackRest is missing. Install it: apt-get install pgbackrest')
  const { status } = spawnSync(
    'apt-get',
    ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', 'pgbackrest'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (status !== 0) throw new CommandError('apt-get could not install pgBackRest. Run apt-get update, then try again.')
}

export type BackedUpCluster = Awaited<ReturnType<typeof startCluster>>

/**
 * A cluster with pgBackRest and WAL archiving, with the files of deploy/pgbackrest and only the paths changed. As on
 * Debian, its settings are outside the data directory.
 */
export async function startCluster(folder: string, stack: AsyncDisposableStack) {
  const place = (name: string) => join(folder, name)
  for (const name of ['live', 'repo', 'log', 'spool', 'lock', 'etc', 'socket'])
    mkdirSync(place(name), { mode: name === 'live' ? 0o700 : 0o750 })
  const [port, password] = [await quietPort(), randomBytes(24).toString('hex')]
  writeFileSync(place('etc/password'), password, { mode: 0o600 })
  writeSettings(folder, port)
  giveTo('postgres', folder)
  const bin = findBinaries(place('live'))
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', place('etc/password')]
  const initdb = ['-D', place('live'), ...access, '-E', 'UTF8', '--locale=C.UTF-8', '--data-checksums']
  await runAsPostgres(bin, 'initdb', initdb)
  const control = (data: string, ...args: string[]) =>
    runAsPostgres(bin, 'pg_ctl', ['-D', data, '-w', '-t', waitSeconds, ...args])
  const settings = place('etc/postgresql.conf')
  const startLive = () =>
    control(place('live'), '-o', `-c config_file=${settings}`, '-l', place('log/live.log'), 'start')
  await startLive()
  stack.defer(() => control(place('live'), '-m', 'immediate', 'stop'))
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const urls = await developmentDatabase(`${adminUrl}?connect_timeout=${waitSeconds}`, 'broadside')
  const config = place('etc/pgbackrest.conf')
  const backUp = async (...args: string[]) => {
    const [command = '', ...rest] = asUser('postgres', [
      'pgbackrest',
      `--config=${config}`,
      `--stanza=${stanza}`,
      ...args,
    ])
    return (await run(command, rest, { cwd: '/', maxBuffer: 64 << 20 })).stdout
  }
  await backUp('stanza-create')
  await backUp('check')
  return {
    ...{ adminUrl: urlFor(adminUrl, 'broadside'), urls, port, backUp },
    pid: () => Number(readFileSync(place('live/postmaster.pid'), 'utf8').split('\n')[0]),
    /** Completes the current WAL file and waits until it is in the repository. */
    archiveWal: () => archiveWal(adminUrl),
    /** Puts the restored cluster in the place of the live one, as the runbook does, and checks that its WAL is archived. */
    switchOver: async () => {
      for (const data of ['live', 'restored']) await control(place(data), '-m', 'fast', 'stop')
      renameSync(place('live'), place('live.old'))
      renameSync(place('restored'), place('live'))
      await startLive()
      await asAdministrator(adminUrl, (admin) => admin.query('alter system reset archive_mode'))
      await control(place('live'), '-m', 'fast', 'stop')
      await startLive()
      await backUp('check')
    },
    /** Runs the operator's script. The new cluster ends with the drill. */
    restoreBeside: async (time: Date) => {
      const [data, ownPort] = [place('restored'), await quietPort()]
      stack.defer(() => control(data, '-m', 'immediate', 'stop').catch(() => {}))
      const script = join(repoDir, 'deploy/pgbackrest/restore-beside')
      await run(script, [time.toISOString(), data, String(ownPort)], {
        env: {
          PATH: process.env['PATH'],
          ...{ BACKUP_STANZA: stanza, PGBACKREST_CONFIG: config, POSTGRES_CONFIG: settings, POSTGRES_BIN: bin },
        },
      })
      return { adminUrl: movedTo(urlFor(adminUrl, 'broadside'), ownPort), urls: allMovedTo(urls, ownPort) }
    },
  }
}

function movedTo(text: string, port: number): string {
  const url = new URL(text)
  url.port = String(port)
  return url.href
}

const allMovedTo = (urls: RoleUrls, port: number) =>
  Object.fromEntries(Object.entries(urls).map(([role, url]) => [role, movedTo(url, port)])) as RoleUrls

function writeSettings(folder: string, port: number): void {
  const shipped = (name: string) => readFileSync(join(repoDir, 'deploy/pgbackrest', name), 'utf8')
  const place = (name: string) => join(folder, name)
  const paths: Record<string, string> = {
    'repo1-path': place('repo'),
    'repo1-cipher-pass': randomBytes(48).toString('base64'),
    'spool-path': place('spool'),
    'lock-path': place('lock'),
    'log-path': place('log'),
    'pg1-path': place('live'),
    'pg1-port': String(port),
    'pg1-socket-path': place('socket'),
  }
  let config = shipped('pgbackrest.conf')
  for (const [name, value] of Object.entries(paths))
    config = config.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`)
  writeFileSync(place('etc/pgbackrest.conf'), config)
  const archiving = shipped('postgresql.conf').replace(
    'pgbackrest ',
    `pgbackrest --config=${place('etc/pgbackrest.conf')} `,
  )
  writeFileSync(place('etc/postgresql.conf'), `${clusterSettings(folder, port).join('\n')}\n${archiving}`)
  writeFileSync(
    place('etc/pg_hba.conf'),
    'local all postgres peer\nlocal broadside broadside_backup peer map=backup\nhost all all 127.0.0.1/32 scram-sha-256\n',
  )
  writeFileSync(place('etc/pg_ident.conf'), 'backup postgres broadside_backup\n')
}

const clusterSettings = (folder: string, port: number) => [
  `data_directory = '${join(folder, 'live')}'`,
  `hba_file = '${join(folder, 'etc/pg_hba.conf')}'`,
  `ident_file = '${join(folder, 'etc/pg_ident.conf')}'`,
  `unix_socket_directories = '${join(folder, 'socket')}'`,
  `port = ${port}`,
  "listen_addresses = '127.0.0.1'",
  'max_connections = 100',
  'shared_buffers = 256MB',
  'max_wal_size = 4GB',
  'wal_compression = on',
  'random_page_cost = 1.1',
  'jit = off',
  "timezone = 'UTC'",
]

const archiveWal = (adminUrl: string) =>
  asAdministrator(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
    const isThere = async () => {
      const { rows: found } = await admin.query<{ last: string | null }>(
        'select last_archived_wal as last from pg_stat_archiver',
      )
      return String(found[0]?.last) >= String(rows[0]?.name)
    }
    await waitFor(isThere, 'the WAL to be archived')
  })
