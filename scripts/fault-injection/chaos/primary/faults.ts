import type { Host } from '../../../../tooling/network/host.ts'
import { type Cluster, isEtcd, isPostgres } from './cluster.ts'

export const faultKinds = ['kill', 'pause', 'partition'] as const
export type FaultKind = (typeof faultKinds)[number]

/** What happens to the primary, and what brings its host back later. */
export type Fault = { what: string; begin: (host: Host) => Promise<void>; end: (host: Host) => Promise<void> }

const isDatabase = (command: string) => !isEtcd(command)

/** Each kind in several forms, which take turns. */
export function faultsOf({ startNode }: Pick<Cluster, 'startNode'>): Record<FaultKind, readonly Fault[]> {
  const kill = (what: string, isWanted: (command: string) => boolean): Fault => ({
    what,
    begin: async (host) => host.signal('SIGKILL', host.pids(isWanted)),
    end: async (host) => startNode(host),
  })
  const pause = (what: string, isWanted: (command: string) => boolean): Fault => ({
    what,
    begin: async (host) => host.signal('SIGSTOP', host.pids(isWanted)),
    end: async (host) => host.signal('SIGCONT', host.pids(isWanted)),
  })
  const cut = (what: string, direction: 'both' | 'sending'): Fault => ({
    what,
    begin: (host) => host.cut(direction),
    end: async (host) => void (await host.join()),
  })
  return {
    kill: [kill('the whole host is killed', () => true), kill('Patroni and PostgreSQL are killed', isDatabase)],
    pause: [pause('the whole host is paused', () => true), pause('PostgreSQL is paused', isPostgres)],
    partition: [cut('the host is cut off', 'both'), cut('the host hears the others, but cannot send', 'sending')],
  }
}

/** The kinds in turn, until each has had its number. */
export function planFaults(counts: Record<FaultKind, number>, faults: Record<FaultKind, readonly Fault[]>) {
  const most = Math.max(...Object.values(counts))
  return Array.from({ length: most }, (_, turn) =>
    faultKinds
      .filter((kind) => turn < counts[kind])
      .map((kind) => ({ kind, fault: faults[kind][turn % faults[kind].length] as Fault })),
  ).flat()
}
