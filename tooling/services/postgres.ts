import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { asUser, freePort, giveTo, patienceMs, runningPid, stateDir, withLock } from './state.ts'

const run = promisify(execFile)
const user = 'postgres'
const preferredPort = 5440
const oldestMajor = 15
export const waitSeconds = String(patienceMs / 1_000)

/**
 * Starts the project's own cluster, or finds it running, and returns the superuser's URL. If DATABASE_URL is set, it
 * starts nothing and uses that server unchanged.
 */
export async function startPostgres(): Promise<{ adminUrl: string }> {
  const given = process.env['DATABASE_URL']
  if (given) return { adminUrl: given }
  const cluster = locateCluster()
  // Test files run in parallel and may all request the first start at the same time.
  return withLock(cluster.data, async () => {
    if (!isUp(cluster)) await start(cluster)
    const [port, password] = [cluster.portFile, cluster.passwordFile].map((file) => readFileSync(file, 'utf8').trim())
    return { adminUrl: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` }
  })
}

/** Stops the project's cluster if it is running. Open transactions are rolled back; committed ones are on disk. */
export async function stopPostgres(): Promise<void> {
  if (process.env['DATABASE_URL']) return
  const cluster = locateCluster()
  await withLock(cluster.data, async () => {
    if (isUp(cluster))
      await runAsPostgres(cluster.bin, 'pg_ctl', ['-D', cluster.data, '-m', 'fast', '-w', '-t', waitSeconds, 'stop'])
  })
}

/** Stops the project's cluster without a checkpoint and starts it again, on the same port: it recovers as after a crash. */
export async function crashPostgres(): Promise<void> {
  const { bin, data, log } = locateCluster()
  await runAsPostgres(bin, 'pg_ctl', ['-D', data, '-l', log, '-m', 'immediate', '-w', '-t', waitSeconds, 'restart'])
}

/** Stops the project's cluster unless other programs, such as tests, are connected to it. Says which happened. */
export async function stopUnusedPostgres(): Promise<'stopped' | 'in use'> {
  const cluster = locateCluster()
  if (!process.env['DATABASE_URL'] && isUp(cluster) && (await countClients()) > 0) return 'in use'
  await stopPostgres()
  return 'stopped'
}

async function countClients(): Promise<number> {
  const client = new pg.Client({ connectionString: (await startPostgres()).adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`)
    return rows[0]?.count ?? 0
  } finally {
    await client.end()
  }
}

interface Cluster {
  bin: string
  data: string
  log: string
  portFile: string
  /** The superuser's password. Without one, every user of this machine would be superuser. */
  passwordFile: string
}

function locateCluster(): Cluster {
  const directory = stateDir()
  const data = join(directory, 'postgres')
  return {
    bin: findBinaries(data),
    data,
    log: join(data, 'server.log'),
    portFile: join(directory, 'postgres.port'),
    passwordFile: join(directory, 'postgres.password'),
  }
}

export function findBinaries(data: string): string {
  const debian = '/usr/lib/postgresql'
  const majors = (existsSync(debian) ? readdirSync(debian) : []).map(Number).filter((major) => major >= oldestMajor)
  const versionFile = join(data, 'PG_VERSION')
  // Only the major version that created the data can open it, so that version takes precedence over a newer one.
  const opener = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : Math.max(...majors)
  const isWhole = (bin: string | undefined) =>
    bin && existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')) ? bin : undefined
  // Checked last, because it starts a process and every test that needs a database runs this.
  const configured = () => spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim()
  const found = isWhole(process.env['PG_BIN']) ?? isWhole(`${debian}/${opener}/bin`) ?? isWhole(configured())
  if (!found) {
    throw new Error(
      `PostgreSQL ${existsSync(versionFile) ? opener : `${oldestMajor} or newer`} was not found. ` +
        'Run scripts/setup, set PG_BIN to the folder with its programs, or set DATABASE_URL to a running server.',
    )
  }
  return found
}

const isUp = ({ data }: Cluster) => runningPid(join(data, 'postmaster.pid'), data) !== undefined

async function start(cluster: Cluster): Promise<void> {
  const { data, log, portFile } = cluster
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(cluster)
  const port = await freePort(preferredPort)
  const settings = join(data, 'broadside.conf')
  writeFileSync(settings, renderSettings(cluster, port))
  giveTo(user, settings)
  // After a kill the server may remain as a zombie, and PostgreSQL would treat its lock file as that of a live server.
  rmSync(join(data, 'postmaster.pid'), { force: true })
  try {
    await runAsPostgres(cluster.bin, 'pg_ctl', ['-D', data, '-l', log, '-w', '-t', waitSeconds, 'start'])
  } catch (cause) {
    throw new Error(`PostgreSQL did not start on port ${port}. See ${log}`, { cause })
  }
  writeFileSync(portFile, `${port}\n`)
}

async function initialise({ bin, data, passwordFile }: Cluster): Promise<void> {
  // Created under another name and renamed when complete, so that an interrupted initdb never looks like a cluster.
  const draft = `${data}.draft`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  giveTo(user, draft)
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  giveTo(user, passwordFile)
  const login = ['-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', passwordFile]
  const options = [...login, '-E', 'UTF8', '--locale=C.UTF-8', '--data-checksums']
  await runAsPostgres(bin, 'initdb', ['-D', draft, ...options])
  appendFileSync(join(draft, 'postgresql.conf'), "include 'broadside.conf'\n")
  renameSync(draft, data)
}

/** A cluster in memory does not survive a restart of the machine anyway, so it can skip durability. */
const memorySettings = ['fsync = off', 'full_page_writes = off']
const tmpfs = 0x01021994
const isInMemory = (folder: string) => statfsSync(folder).type === tmpfs

function renderSettings({ bin, data }: Cluster, port: number): string {
  const libraries = spawnSync(join(bin, 'pg_config'), ['--pkglibdir'], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const hasStatements = existsSync(join(libraries, 'pg_stat_statements.so'))
  return [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    // A socket path is limited to 107 bytes, and a deep clone exceeds that. All clients connect over TCP.
    "unix_socket_directories = ''",
    'max_connections = 200',
    'synchronous_commit = on',
    ...(isInMemory(data) ? memorySettings : ['fsync = on', 'wal_compression = on']),
    // Nothing is replicated from here. Tables that a transaction fills itself, such as those of a seed, need no log then.
    'wal_level = minimal',
    'max_wal_senders = 0',
    'shared_buffers = 512MB',
    'maintenance_work_mem = 512MB',
    'work_mem = 16MB',
    'max_wal_size = 4GB',
    'random_page_cost = 1.1',
    'jit = off',
    "timezone = 'UTC'",
    "log_timezone = 'UTC'",
    ...(hasStatements ? ["shared_preload_libraries = 'pg_stat_statements'"] : []),
    '',
  ].join('\n')
}

export async function runAsPostgres(bin: string, program: string, args: string[]): Promise<void> {
  const [command = '', ...rest] = asUser(user, [join(bin, program), ...args])
  // Otherwise the caller's PG* variables and home folder would affect the server.
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', LC_ALL: 'C.UTF-8' }
  await run(command, rest, { cwd: '/', env })
}
