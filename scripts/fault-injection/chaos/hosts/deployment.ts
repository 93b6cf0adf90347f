import { once } from 'node:events'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { QueryResultRow } from 'pg'
import { kinds } from '../../../../src/kinds/index.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import { asAdministrator } from '../../../../src/platform/database/database-setup.ts'
import type { SettingName } from '../../../../src/platform/settings/settings.ts'
import { program, runOperator } from '../../../../tooling/environment/processes.ts'
import { network, openHost, openNetwork } from '../../../../tooling/network/host.ts'
import { migratedDatabase, withDefaultConnectTimeout } from '../../../../tooling/services/databases.ts'
import { developmentSettings, sitePort } from '../../../../tooling/services/development.ts'
import { newBucketSettings, startObjectStore, stopObjectStore } from '../../../../tooling/services/object-store.ts'
import { crashPostgres, startPostgres, stopPostgres } from '../../../../tooling/services/postgres.ts'
import { giveTo, stateDir, waitFor } from '../../../../tooling/services/state.ts'
import { writeGateway } from './gateway.ts'
import { routeTo } from './route.ts'

/** Where this process is, with PostgreSQL, the object store and the model. */
const center = `${network}.9`
const hostNumbers = [1, 2] as const
export const baseUrls = Object.fromEntries(
  kinds.map(({ name, site }, at) => [name, `http://${site.slug}.test:${sitePort(at)}`]),
)
export const messagesUrl = String(baseUrls['message'])

type Values = Partial<Record<SettingName, string>>
export type Deployment = Awaited<ReturnType<typeof openDeployment>>
export type ServiceHost = Deployment['hosts'][number]

/**
 * Two hosts, each with a gateway, an API process and a worker, and a third machine with PostgreSQL, the object store and
 * the model. Call it in a network namespace of its own.
 */
export async function openDeployment() {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'broadside-hosts-'))
  let keepsLogs = true
  opening.defer(() => rmSync(keepsLogs ? join(folder, 'data') : folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  for (const name of ['logs', 'data']) mkdirSync(join(folder, name))
  await openNetwork()
  await openPostgres()
  opening.defer(stopPostgres)
  const store = await startObjectStore({ address: center })
  opening.defer(() => stopObjectStore({ address: center }))
  const database = opening.use(await migratedDatabase('hosts'))
  const owner = opening.use(connect(database.urls.migrator, { poolMax: 2, applicationName: 'chaos' }))
  const model = new Worker(new URL('model-thread.ts', import.meta.url), { workerData: center })
  opening.defer(() => void model.terminate())
  const [modelUrl] = await once(model, 'message')
  const shared: Values = {
    ...developmentSettings(database.adminUrl, database.urls),
    BROADSIDE_ENVIRONMENT: 'test',
    SITES: Object.entries(baseUrls)
      .map((pair) => pair.join('='))
      .join(' '),
    ACCOUNT_PAGE_URL: 'http://account.test:4000',
    DESK_URL: 'http://desk.test:4005',
    DATABASE_POOL_MAX: '20',
    MODEL_URL: String(modelUrl),
    MODEL_DRIVER: 'always-on',
    JUDGE_URL: '',
    ...(await newBucketSettings(store)),
  }
  const documents = await runOperator(shared, 'documents')
  if (documents.code !== 0) throw new Error(`The documents could not be written: ${documents.stderr}`)
  const hosts: Awaited<ReturnType<typeof openServiceHost>>[] = []
  for (const number of hostNumbers) hosts.push(await openServiceHost(number, { folder, shared }))
  opening.defer(async () => void (await Promise.all(hosts.map(({ close }) => close()))))
  await Promise.all(hosts.map(({ untilReady }) => untilReady()))
  const stack = opening.move()
  return {
    database,
    settings: shared,
    hosts,
    query: async <Row extends QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await owner.pool.query<Row>(sql, values)).rows,
    logsIf: (isBroken: boolean) => {
      keepsLogs = isBroken
      return isBroken ? { logs: join(folder, 'logs') } : {}
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Starts the cluster and lets it listen on the network of the hosts. */
async function openPostgres(): Promise<void> {
  const { adminUrl } = await startPostgres()
  await asAdministrator(adminUrl, (admin) => admin.query("alter system set listen_addresses = '*'"))
  appendFileSync(join(stateDir(), 'postgres/pg_hba.conf'), `host all all ${network}.0/24 scram-sha-256\n`)
  await crashPostgres()
}

const onNetwork = (url: string) => withDefaultConnectTimeout(url.replace('127.0.0.1', center))

/** The settings of a process on a host. Database addresses lead over the network. */
function settingsOf(shared: Values, address: string, folder: string): Values {
  const urls = Object.entries(shared).map(([name, value]) => [
    name,
    name.endsWith('_DATABASE_URL') ? onNetwork(String(value)) : value,
  ])
  return {
    ...Object.fromEntries(urls),
    LISTEN_HOST: address,
    API_PORT: '4101',
    API_HEALTH_PORT: '4201',
    WORKER_HEALTH_PORT: '4221',
    ERASURE_LOG: join(folder, 'erasures'),
  }
}

type Place = { folder: string; shared: Values }

async function openServiceHost(number: number, { folder, shared }: Place) {
  const host = await openHost(number)
  const own = join(folder, 'data', `host-${number}`)
  mkdirSync(own)
  const settings = settingsOf(shared, host.address, own)
  const addresses = hostNumbers.map((one) => `${network}.${one}`)
  const gateway = join(own, 'nginx')
  await writeGateway(gateway, { address: host.address, addresses, settings, baseUrls })
  giveTo('www-data', gateway)
  const start = (name: string, command: string[], user: string) =>
    host.start({
      ...{ name, command, user },
      env: { ...process.env, ...settings },
      logFile: join(folder, 'logs', `${name}-${number}.log`),
    })
  const startAll = () => {
    rmSync(join(gateway, 'sockets'), { recursive: true, force: true })
    const nginx = ['/usr/sbin/nginx', '-p', `${gateway}/`, '-c', 'nginx.conf', '-e', 'error.log']
    start('gateway', nginx, 'www-data')
    for (const name of ['api', 'worker']) start(name, [process.execPath, program, name], 'root')
  }
  startAll()
  const route = routeTo(host.address)
  const isReady = async () => {
    const urls = [`http://${host.address}:4201/readyz`, `http://${host.address}:4221/readyz`]
    const answers = await Promise.all(urls.map((url) => fetch(url, { signal: AbortSignal.timeout(2_000) })))
    const [page, api] = [await route.get(`${messagesUrl}/index.json`), await route.get(`${messagesUrl}/v1/status`)]
    return answers.every(({ ok }) => ok) && page.status === 200 && api.status === 200
  }
  return {
    ...host,
    ...route,
    name: `host ${number}`,
    startAll,
    untilReady: () => waitFor(isReady, `host ${number} to be ready. See ${join(folder, 'logs')}`),
  }
}
