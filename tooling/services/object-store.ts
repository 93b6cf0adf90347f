import { execFile, spawn } from 'node:child_process'
import { createHmac, hash, randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SettingName } from '../../src/platform/settings/settings.ts'
import { asUser, freePort, giveTo, isRunning, patienceMs, stateDir, stopProcess, waitFor, withLock } from './state.ts'

const run = promisify(execFile)
/** The user of Debian's packages. */
const user = 'ceph'
const daemons = ['mon', 'osd', 'rgw'] as const
type Daemon = (typeof daemons)[number]

export type ObjectStore = {
  /** `http://host:port` of the S3 API. */
  endpoint: string
  region: string
  accessKey: string
  secretKey: string
  /** Creates a bucket whose objects everybody can read and nobody can list, and returns its name. */
  createBucket: () => Promise<string>
}

/** The settings of processes whose pages are in a new bucket of this store. */
export const newBucketSettings = async (store: ObjectStore) =>
  ({
    PAGES_STORE: 's3',
    PAGES_S3_ENDPOINT: store.endpoint,
    PAGES_S3_BUCKET: await store.createBucket(),
    PAGES_S3_REGION: store.region,
    PAGES_S3_ACCESS_KEY_ID: store.accessKey,
    PAGES_S3_SECRET_KEY: store.secretKey,
  }) satisfies Partial<Record<SettingName, string>>

type Options = {
  /** The working folder. Its store is in memory: a start always begins with an empty one. */
  directory?: string
  /** The address that the daemons listen on. */
  address?: string
  /** A command that each daemon is started with, for example one that enters a network namespace. */
  through?: readonly string[]
}

/**
 * Starts a real S3 server (Ceph's radosgw) with its content in memory, or finds it running. It is shared like the
 * project's PostgreSQL: every test creates buckets of its own.
 */
export async function startObjectStore(options: Options = {}): Promise<ObjectStore> {
  const store = locate(options)
  return await withLock(store.directory, async () => {
    if (!daemons.every((name) => pidOf(store, name))) await start(store)
    return describe(store)
  })
}

/** Stops the object store of this folder if it is running. Its content is gone. */
export async function stopObjectStore(options: Options = {}): Promise<void> {
  const store = locate(options)
  if (!existsSync(store.directory)) return
  await withLock(store.directory, () => stop(store))
}

type Store = { directory: string; address: string; through: readonly string[] }

const locate = ({ directory = join(stateDir(), 'object-store'), address = '127.0.0.1', through = [] }: Options) => ({
  ...{ directory, address, through },
})

const login = { accessKey: 'broadside', secretKey: 'not-a-secret' }
const region = 'us-east-1'

function describe(store: Store): ObjectStore {
  const endpoint = readFileSync(join(store.directory, 'endpoint'), 'utf8').trim()
  return { endpoint, region, ...login, createBucket: () => createBucket(endpoint) }
}

async function createBucket(endpoint: string): Promise<string> {
  const name = `pages-${randomUUID()}`
  const policy = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${name}/*` }],
  }
  await signedPut(`${endpoint}/${name}`, '')
  await signedPut(`${endpoint}/${name}?policy`, JSON.stringify(policy))
  return name
}

/** Signs with AWS Signature Version 4. Test servers need nothing else of a client. */
async function signedPut(url: string, body: string): Promise<void> {
  const { host, pathname, search } = new URL(url)
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const digest = hash('sha256', body)
  const signed = 'host;x-amz-content-sha256;x-amz-date'
  const query = search === '' ? '' : `${search.slice(1)}=`
  const headers = `host:${host}\nx-amz-content-sha256:${digest}\nx-amz-date:${time}\n`
  const request = ['PUT', pathname, query, headers, signed, digest].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', request)].join('\n')
  const key = scope
    .split('/')
    .reduce<Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      Buffer.from(`AWS4${login.secretKey}`),
    )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${login.accessKey}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
  const own = { authorization, 'x-amz-content-sha256': digest, 'x-amz-date': time }
  const response = await fetch(url, { method: 'PUT', body, headers: own })
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${await response.text()}`)
}

async function start(store: Store): Promise<void> {
  const { directory } = store
  await stop(store)
  rmSync(directory, { recursive: true, force: true })
  for (const folder of ['mon', 'osd', 'rgw', 'run', 'log']) mkdirSync(join(directory, folder), { recursive: true })
  const [monitor, api] = [await freePort(), await freePort()]
  const id = randomUUID()
  const monitors = `[v2:${store.address}:${monitor}]`
  writeFileSync(configurationOf(store), renderConfiguration(store, { id, monitors, api }))
  giveTo(user, directory)
  const monmap = join(directory, 'monmap')
  await ceph(store, ['monmaptool', '--create', '--addv', 'a', monitors, '--fsid', id, monmap])
  await ceph(store, ['ceph-mon', '--mkfs', '-i', 'a', '--monmap', monmap])
  spawnDaemon(store, 'mon', ['ceph-mon', '-i', 'a', '-f'])
  await until(store, 'mon', () => ceph(store, ['ceph', '-s', '--connect-timeout', '5']))
  const disk = randomUUID()
  await ceph(store, ['ceph', 'osd', 'new', disk])
  await ceph(store, ['ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', disk])
  await ceph(store, ['ceph', 'osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=local'])
  spawnDaemon(store, 'osd', ['ceph-osd', '-i', '0', '-f'])
  await until(store, 'osd', async () => {
    if (!(await ceph(store, ['ceph', 'osd', 'stat'])).includes('1 up')) throw new Error('not up yet')
  })
  spawnDaemon(store, 'rgw', ['radosgw', '-n', 'client.rgw', '-f'])
  const endpoint = `http://${store.address}:${api}`
  await until(store, 'rgw', () => fetch(endpoint))
  const keys = [`--access-key=${login.accessKey}`, `--secret-key=${login.secretKey}`]
  await ceph(store, ['radosgw-admin', 'user', 'create', '--uid=broadside', '--display-name=Broadside', ...keys])
  writeFileSync(join(directory, 'endpoint'), `${endpoint}\n`)
  // The first bucket and the first object create the store's pools, which takes seconds.
  await signedPut(`${endpoint}/${await createBucket(endpoint)}/first`, 'first')
}

const configurationOf = ({ directory }: Store) => join(directory, 'ceph.conf')

type Identity = { id: string; monitors: string; api: number }

function renderConfiguration({ directory, address }: Store, { id, monitors, api }: Identity): string {
  return `[global]
fsid = ${id}
mon_initial_members = a
mon_host = ${monitors}
public_addr = ${address}
cluster_addr = ${address}
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
mon_warn_on_pool_no_redundancy = false
run_dir = ${directory}/run
log_file = ${directory}/log/$name.log
admin_socket = ${directory}/run/$name.asok
[mon.a]
mon_data = ${directory}/mon
[osd]
osd_objectstore = memstore
memstore_device_bytes = ${4 * 2 ** 30}
osd_data = ${directory}/osd
osd_memory_target = 939524096
[client.rgw]
# Without tcp_nodelay, each small response waits for about 40 ms.
rgw_frontends = beast endpoint=${address}:${api} tcp_nodelay=1
rgw_data = ${directory}/rgw
rgw_enable_usage_log = false
rgw_thread_pool_size = 64
# radosgw does not apply the setting of [global].
auth_client_required = none
ms_mon_client_mode = crc
`
}

async function through(store: Store, words: readonly string[]): Promise<string> {
  const [command = '', ...args] = [...store.through, ...words]
  const env = { PATH: `${process.env['PATH']}:/usr/sbin`, HOME: '/nonexistent', CEPH_CONF: configurationOf(store) }
  return (await run(command, args, { cwd: '/', env })).stdout
}

const ceph = (store: Store, command: string[]) => through(store, asUser(user, command))

function spawnDaemon(store: Store, name: Daemon, words: string[]): void {
  const output = openSync(join(store.directory, 'log', `${name}.out`), 'a')
  const [command = '', ...args] = [...store.through, ...asUser(user, words)]
  const env = { PATH: `${process.env['PATH']}:/usr/sbin`, HOME: '/nonexistent', CEPH_CONF: configurationOf(store) }
  const child = spawn(command, args, { cwd: '/', env, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  child.unref()
  writeFileSync(join(store.directory, `${name}.pid`), `${child.pid}\n`)
}

/** `setpriv` and `ip netns exec` replace themselves with the daemon, so its id is the one of the first process. */
function pidOf({ directory }: Store, name: Daemon): number | undefined {
  const file = join(directory, `${name}.pid`)
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  return pid > 0 && isRunning(pid) ? pid : undefined
}

async function until(store: Store, name: Daemon, attempt: () => Promise<unknown>): Promise<void> {
  let ended = false
  const isReady = async () => {
    ended = pidOf(store, name) === undefined
    return ended || (await attempt()) !== null
  }
  await waitFor(isReady, `${name} of the object store. See ${join(store.directory, 'log')}`, patienceMs)
  if (ended) throw new Error(`The object store’s ${name} ended while starting. See ${join(store.directory, 'log')}`)
}

async function stop(store: Store): Promise<void> {
  for (const name of daemons.toReversed()) {
    const pid = pidOf(store, name)
    if (pid) await stopProcess(pid, 10_000)
    rmSync(join(store.directory, `${name}.pid`), { force: true })
  }
}
