import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordCheck } from '../../../src/platform/observability/checks.ts'
import { openApiClient } from '../../../tooling/clients/api-client.ts'
import { startWire } from '../../../tooling/environment/processes.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { startReplicatedPostgres } from '../../../tooling/services/replicated-postgres.ts'
import { giveTo, quietPort } from '../../../tooling/services/state.ts'
import { type Account, openEnvironment } from '../../fault-injection/chaos/environment.ts'
import { keepProcess } from '../../fault-injection/chaos/keep-process.ts'
import { openDisk } from '../../fault-injection/chaos/publishing/power-loss-disk.ts'
import { asSuperuser } from './superuser.ts'

export type Drilled = Awaited<ReturnType<typeof openDrilled>>

/**
 * Everything real that the alerts watch: all processes and the gateway, a primary with a standby, pages on a disk of
 * their own, and traffic. No mail server listens.
 */
export async function openDrilled() {
  await using opening = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'broadside-alerts-'))
  opening.defer(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const [logs, checksDirectory, erasureLog] = ['gateway', 'checks', 'erasures'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const made of [logs, checksDirectory, erasureLog]) mkdirSync(made)
  giveTo('www-data', logs)
  const accessLog = join(logs, 'access.log')
  const cluster = opening.use(await startReplicatedPostgres())
  process.env['DATABASE_URL'] = cluster.adminUrl
  const disk = opening.use(await openDisk())
  const database = await migratedDatabase('alerts')
  const replica = new URL(database.urls.api)
  replica.port = new URL(cluster.standbyUrl).port
  const wire = opening.use(await startWire(database.urls.api))
  const environment = opening.use(
    await openEnvironment({
      ...{ driver: 'always-on', workers: 1, database, accessLog, pagesDirectory: disk.mountPoint },
      settings: {
        ...{ CHECKS_DIRECTORY: checksDirectory, ERASURE_LOG: erasureLog },
        ...{ SMTP_URL: `smtp://127.0.0.1:${await quietPort()}`, API_REPLICA_DATABASE_URL: replica.href },
      },
      databaseUrlOf: (name, url) => (name.startsWith('api') ? wire.url : url),
    }),
  )
  await asSuperuser(cluster.adminUrl, 'grant pg_monitor to broadside_worker')
  const firstResults = ['ledger', 'audit', 'backup'] as const
  for (const name of firstResults) await recordCheck(checksDirectory, name, { ok: true, at: new Date() })
  await environment.startWorkers()
  const [ownerPage, desk] = [await environment.startOwnerPage(), await environment.startDesk()]
  const metricsPort = await quietPort()
  const gatewayMetrics = opening.use(
    keepProcess({
      ...{ name: 'gateway-metrics', command: 'gateway-metrics', logFolder: environment.logFolder },
      readyUrl: `http://127.0.0.1:${metricsPort}/readyz`,
      settings: { GATEWAY_ACCESS_LOG: accessLog, GATEWAY_METRICS_PORT: String(metricsPort) },
    }),
  )
  await gatewayMetrics.untilUp()
  const { cards, cardsUrl } = await openCards(opening, folder, environment.logFolder)
  const hostOf = (url: string) => new URL(url).host
  const targets = {
    'broadside-api': environment.metricsUrls.map(hostOf),
    'broadside-worker': [hostOf(environment.workerMetricsUrl)],
    'broadside-owner-page': [hostOf(ownerPage.readyUrl)],
    'broadside-desk': [hostOf(desk.readyUrl)],
    'broadside-model': [hostOf(environment.modelUrl)],
    'broadside-cards': [hostOf(cards.readyUrl)],
    'broadside-gateway': [`127.0.0.1:${metricsPort}`],
  }
  const stack = opening.move()
  return {
    ...{
      folder,
      checksDirectory,
      erasureLog,
      cluster,
      disk,
      wire,
      environment,
      desk,
      targets,
      cardsUrl,
      accounts: [] as Account[],
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** It has no fonts, so it fails to draw. */
async function openCards(opening: AsyncDisposableStack, folder: string, logFolder: string) {
  const [cardsPort, cardsHealthPort] = [await quietPort(), await quietPort()]
  const cards = opening.use(
    keepProcess({
      ...{ name: 'cards', command: 'cards', logFolder },
      readyUrl: `http://127.0.0.1:${cardsHealthPort}/readyz`,
      settings: {
        ...{ CARDS_PORT: String(cardsPort), CARDS_HEALTH_PORT: String(cardsHealthPort) },
        ...{ PAGES_DIRECTORY: folder, FONTS_DIRECTORY: folder },
      },
    }),
  )
  await cards.untilUp()
  return { cards, cardsUrl: `http://127.0.0.1:${cardsPort}/check` }
}

/** Readers and callers, a few a second, until it is disposed. */
export function startTraffic(baseUrl: string, accounts: readonly Account[]): AsyncDisposable {
  let isOver = false
  const pages = ['/', '/feed.xml', '/index.json', '/nowhere', '/topics/', '/v1/status', '/v1/posts']
  const read = async () => {
    for (let at = 0; !isOver; at++) {
      await fetch(`${baseUrl}${pages[at % pages.length]}`).then((response) => response.text(), ignore)
      await sleep(50)
    }
  }
  const write = async ({ apiKey }: Account, number: number) => {
    const client = openApiClient({ baseUrl, apiKey, maxRetries: 0 })
    for (let at = 0; !isOver; at++) {
      const text = `Ferry ${number * 100_000 + at} leaves pier ${at % 9} at ${at % 24}:00 for the islands.`
      await client.submitPost({ text, topics: ['ferries'] }, {}).catch(ignore)
      await sleep(500)
    }
  }
  const running = Promise.all([read(), ...accounts.map(write)])
  return {
    [Symbol.asyncDispose]: async () => {
      isOver = true
      await running
    },
  }
}

const ignore = () => {}
