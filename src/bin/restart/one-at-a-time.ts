import { isAnswering } from '../../platform/outbound-http/configured-service.ts'
import { pause } from '../../platform/repeat.ts'

/** One process that can be restarted, and the address that answers 200 when it is ready. */
export type Instance = { name: string; readyUrl: string; restart: () => Promise<unknown> }

type Options = { waitSeconds: number; stop: AbortSignal; report: (line: string) => void }

const pollMs = 200
const answerMs = 2_000

/**
 * Restarts the instances one after another, each when the one before is ready. Instances that are not ready come first
 * among those of the same kind, so that the others keep serving. Returns the first that did not become ready.
 */
export async function restartOneAtATime(
  kinds: readonly (readonly Instance[])[],
  { waitSeconds, stop, report }: Options,
): Promise<Instance | undefined> {
  for (const instances of kinds)
    for (const instance of await faultyFirst(instances)) {
      const startedAt = performance.now()
      const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(1)
      report(`Restarting ${instance.name}`)
      await instance.restart()
      while (!(await isAnswering(instance.readyUrl, answerMs))) {
        if (stop.aborted || performance.now() - startedAt > waitSeconds * 1_000) return instance
        await pause(pollMs, stop)
      }
      report(`${instance.name} is ready after ${seconds()} s`)
    }
  return undefined
}

async function faultyFirst(instances: readonly Instance[]): Promise<Instance[]> {
  const ready = await Promise.all(instances.map(({ readyUrl }) => isAnswering(readyUrl, answerMs)))
  return [...instances.filter((_, index) => !ready[index]), ...instances.filter((_, index) => ready[index])]
}

type Ports = Record<string, string | undefined>

/** Where a process with these ports says that it is ready. */
export function readyUrlOf(host: string, ports: Ports): string {
  const health = Object.entries(ports).find(([name, port]) => name.endsWith('_HEALTH_PORT') && port)?.[1]
  return health ? `http://${host}:${health}/readyz` : `http://${host}:${ports['MODEL_PORT']}/healthz`
}
