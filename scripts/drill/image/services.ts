import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { inStartOrder, type Service } from './compose.ts'
import { execIn, hasEnded, type Started, startContainer, stopContainer } from './container.ts'
import { openNetwork, within } from './network.ts'
import { type Prepared, serviceOf } from './place.ts'
import { startMailService, startPostgresService } from './stand-ins.ts'

/** By the name of the service; its newest container. */
export type Running = Map<string, Started>

/** Starts the services in the order of `depends_on`, each when its conditions are met, and waits until all are healthy. */
export async function startAll(place: Prepared, cleaning: AsyncDisposableStack): Promise<Running> {
  const running: Running = new Map()
  cleaning.defer(async () => {
    await Promise.all([...running.values()].map(stopContainer))
  })
  const start = async (service: Service) => {
    for (const [name, condition] of Object.entries(service.dependsOn)) {
      const other = running.get(name)
      if (other && condition === 'service_healthy') await untilHealthy(other, place)
      if (other && condition === 'service_completed_successfully') await untilCompleted(other)
    }
    running.set(service.name, await startService(service, place))
  }
  // The profile of the mail catcher is on.
  await start(serviceOf(place, 'mail'))
  for (const service of inStartOrder(place.composition.services)) await start(service)
  for (const started of running.values()) if (started.service.health) await untilHealthy(started, place)
  return running
}

async function startService(service: Service, place: Prepared): Promise<Started> {
  if (service.name === 'postgres') return await startPostgresService(service, place)
  if (service.name === 'mail') return startMailService(service, place)
  return startContainer(service, place)
}

async function untilCompleted(started: Started): Promise<void> {
  const code = await started.ended
  if (code !== 0) throw new Error(`${started.service.name} ended with ${code}:\n${lastLines(started)}`)
}

async function untilHealthy(started: Started, place: Prepared): Promise<void> {
  const { service } = started
  for (let tries = 0; tries < 180; tries += 1) {
    if (hasEnded(started)) throw new Error(`${service.name} ended:\n${lastLines(started)}`)
    const isHealthy = await check(started, place).then(
      () => true,
      () => false,
    )
    if (isHealthy) return
    await pause(1_000)
  }
  throw new Error(`${service.name} is not healthy after three minutes:\n${lastLines(started)}`)
}

/** The health check of the service, run inside its container; for PostgreSQL in its network. */
async function check(started: Started, place: Prepared): Promise<void> {
  const { service } = started
  if (!service.health) return
  if (service.name === 'postgres') await within(place.network.namespaceOf('postgres'), ...pair(service.health))
  else await execIn(started, place, service.health)
}

const pair = ([program = '', ...args]: readonly string[]) => [program, ...args] as [string, ...string[]]

function lastLines({ log }: Started): string {
  return execFileSync('tail', ['-n', '20', log], { encoding: 'utf8' })
}

/**
 * Stops all containers at the same moment, as a machine does that shuts down. Each must end within its grace period.
 * Returns the seconds of the slowest.
 */
export async function shutDown(running: Running): Promise<{ slowest: string; seconds: number }> {
  const startedAt = performance.now()
  const stopped = [...running.values()]
    .filter(({ service }) => service.restarts)
    .map(async (started) => {
      const { name, graceSeconds } = started.service
      if (hasEnded(started)) throw new Error(`${name} had ended before:\n${lastLines(started)}`)
      if (!(await stopContainer(started)))
        throw new Error(`${name} did not end within ${graceSeconds} s:\n${lastLines(started)}`)
      return { slowest: name, seconds: (performance.now() - startedAt) / 1_000 }
    })
  const ended = await Promise.all(stopped)
  return ended.reduce((one, other) => (one.seconds > other.seconds ? one : other))
}

/**
 * Starts what Docker starts after a boot, on a new network: the services that restart, all at the same moment, without
 * the order of `depends_on` and without the jobs. A container that ends is started again. Returns which did.
 */
export async function boot(place: Prepared, running: Running): Promise<string[]> {
  await openNetwork(place.folder, place.composition)
  const services = [...running.values()].map(({ service }) => service).filter(({ restarts }) => restarts)
  // All settle first: a container that starts after a failure would outlive the drill.
  const outcomes = await Promise.allSettled(services.map((service) => keepUp(service, place, running)))
  return outcomes.flatMap((outcome, index) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value > 0 ? [`${services[index]?.name} (${outcome.value} times)`] : []
  })
}

/** Docker waits a tenth of a second before the first restart, and twice as long before each of the next. */
const [firstPauseMs, maxEnds] = [100, 8]

/** Waits until the service is healthy. Returns how often it ended before. */
async function keepUp(service: Service, place: Prepared, running: Running): Promise<number> {
  for (let ends = 0; ends < maxEnds; ends += 1) {
    const started = await startService(service, place)
    running.set(service.name, started)
    try {
      await untilHealthy(started, place)
      return ends
    } catch (error) {
      if (!hasEnded(started)) throw error
    }
    await pause(firstPauseMs * 2 ** ends)
  }
  throw new Error(`${service.name} ended ${maxEnds} times.`)
}

/** Runs the jobs while everything else runs, as `docker compose up` does after a change. */
export async function repeatJobs(place: Prepared): Promise<void> {
  const jobs = inStartOrder(place.composition.services).filter(({ restarts }) => !restarts)
  for (const job of jobs) await untilCompleted(startContainer(job, place))
}
