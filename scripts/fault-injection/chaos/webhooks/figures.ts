import type { Environment } from '../environment.ts'
import type { Behaviour, Place, Seen } from './receivers.ts'

export type Run = {
  /** Events recorded while workers were killed. The `calmEvents` follow, from `calmFrom` on. */
  events: number
  calmEvents: number
  calmFrom: number
  /** Deliveries to healthy endpoints. */
  expected: number
  recordingSeconds: number
  settlingSeconds: number
  /** For each kill, the number of endpoints with a delivery in progress. */
  heldAtKills: readonly number[]
  /** CPU use of the whole machine during the kills. */
  busyPercent: number
  seen: readonly (Seen & Place)[]
  /** By state, from the database. */
  rows: Record<'healthy' | 'sick', Record<string, number>>
  /** By id, in milliseconds of the machine's clock. */
  eventTimes: ReadonlyMap<string, number>
  deaths: readonly string[]
  seconds: number
}

export type Figures = ReturnType<typeof describe>

const sicknesses = ['hangs', 'fails', 'resets'] as const satisfies readonly Behaviour[]

/** The printed figures of one run, and the violated guarantees. */
export function describe(run: Run, logsIf: Environment['logsIf']) {
  const { eventTimes, calmFrom } = run
  const healthy = run.seen.filter(({ behaviour }) => behaviour === 'healthy')
  const arrivals = healthy.flatMap((endpoint) => endpoint.arrivals)
  const duplicates = sum(arrivals.map(({ copies }) => copies - 1))
  const timed = arrivals.map(({ eventId, firstAt }) => ({ at: eventTimes.get(eventId) ?? Number.NaN, firstAt }))
  const figures = {
    events: run.events,
    events_a_second: round(run.events / run.recordingSeconds),
    endpoints: run.seen.length,
    healthy_endpoints: healthy.length,
    kills: run.heldAtKills.length,
    endpoints_busy_at_kill: round(sum(run.heldAtKills) / Math.max(run.heldAtKills.length, 1)),
    machine_busy_percent: run.busyPercent,
    deliveries: arrivals.length,
    missing: run.expected - arrivals.length,
    unverified: sum(healthy.map(({ unverified }) => unverified)),
    duplicates,
    duplicates_percent: round((100 * duplicates) / Math.max(arrivals.length, 1)),
    first_arrival_ms: percentiles(timed.filter(({ at }) => at < calmFrom)),
    first_arrival_without_kills_ms: percentiles(timed.filter(({ at }) => at >= calmFrom)),
    requests_at_sick: requestsAtSick(run),
    rows: run.rows,
    seconds_to_settle: run.settlingSeconds,
    seconds: run.seconds,
  }
  const broken = findBroken(run, figures)
  return { ...figures, ...logsIf(broken.length > 0), broken }
}

type Counts = { missing: number; unverified: number; requests_at_sick: Record<string, number> }

function findBroken(run: Run, { missing, unverified, requests_at_sick }: Counts): string[] {
  const { healthy, sick } = run.rows
  const faults: [number, string][] = [
    [run.events + run.calmEvents - run.eventTimes.size, 'events were not recorded'],
    [missing, 'events did not arrive at a healthy endpoint'],
    [unverified, 'requests had no valid signature'],
    [run.expected - (healthy['delivered'] ?? 0), 'deliveries to healthy endpoints are not marked as delivered'],
    [(healthy['lost'] ?? 0) + (sick['lost'] ?? 0), 'deliveries have no row'],
    [sick['delivered'] ?? 0, 'deliveries to failing endpoints are marked as delivered'],
  ]
  const unmet = Object.entries(requests_at_sick).filter(([, requests]) => requests === 0)
  return [
    ...faults.filter(([count]) => count !== 0).map(([count, says]) => `${count} ${says}`),
    ...unmet.map(([behaviour]) => `nothing was sent to an endpoint that ${behaviour}`),
    ...run.deaths,
  ]
}

/** Shows that the failing endpoints were really called. */
function requestsAtSick({ seen }: Run): Record<string, number> {
  const byBehaviour = Map.groupBy(seen, ({ behaviour }) => behaviour)
  const met = sicknesses.filter((sickness) => byBehaviour.has(sickness))
  return Object.fromEntries(
    met.map((sickness) => [sickness, sum((byBehaviour.get(sickness) ?? []).map(({ requests }) => requests))]),
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

function percentiles(timed: readonly { at: number; firstAt: number }[]) {
  const sorted = timed.map(({ at, firstAt }) => firstAt - at).sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: sorted.at(-1) ?? 0 }
}

export const round = (value: number) => Math.round(value * 100) / 100
