import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceHost } from './deployment.ts'

const faults = {
  killed: {
    begin: async (host: ServiceHost) => host.signal('SIGKILL', host.pids()),
    end: async (host: ServiceHost) => host.startAll(),
  },
  'cut off': { begin: (host: ServiceHost) => host.cut('both'), end: (host: ServiceHost) => host.join() },
  'unable to send': { begin: (host: ServiceHost) => host.cut('sending'), end: (host: ServiceHost) => host.join() },
  paused: {
    begin: async (host: ServiceHost) => host.signal('SIGSTOP', host.pids()),
    end: async (host: ServiceHost) => host.signal('SIGCONT', host.pids()),
  },
} as const
type FaultName = keyof typeof faults

/** When hosts were disturbed, in milliseconds of the machine's clock, until they were ready again. */
export type Disturbance = { host: ServiceHost; what: FaultName; from: number; to: number }

type Plan = { seconds: number; longest: number; signal: AbortSignal }

/** Disturbs one host at a time, each time another fault, until the time is over. */
export async function disturbHosts(hosts: readonly ServiceHost[], { seconds, longest, signal }: Plan) {
  const disturbances: Disturbance[] = []
  const lost: string[] = []
  const names = Object.keys(faults) as FaultName[]
  const deadline = performance.now() + seconds * 1_000
  const running = (async () => {
    for (let round = 0; performance.now() < deadline && !signal.aborted; round++) {
      await sleep(randomInt(5_000, 12_000))
      const host = hosts[randomInt(hosts.length)]
      const what = names[round % names.length]
      if (!host || !what) throw new Error('there is no host')
      const disturbance: Disturbance = { host, what, from: Date.now(), to: Number.POSITIVE_INFINITY }
      disturbances.push(disturbance)
      await faults[what].begin(host)
      await sleep(randomInt(5_000, longest * 1_000))
      await faults[what].end(host)
      await host.untilReady().catch((error) => void lost.push(String(error)))
      disturbance.to = Date.now()
      const spent = Math.round((disturbance.to - disturbance.from) / 1_000)
      console.error(`${host.name} was ${what}; ready again after ${spent} s.`)
    }
  })()
  /** Whether the host was undisturbed all the time in between. */
  const wasQuiet = (host: ServiceHost, from: number, to: number) =>
    disturbances.every((one) => one.host !== host || one.to < from || one.from > to)
  return { running, disturbances, wasQuiet, lost }
}

export type Disturbances = Awaited<ReturnType<typeof disturbHosts>>
