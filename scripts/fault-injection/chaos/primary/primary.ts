import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../../../../src/bin/command.ts'
import { isOwnMachine, runAsOwnMachine } from '../../../../tooling/network/namespace.ts'
import { withDefaultConnectTimeout } from '../../../../tooling/services/databases.ts'
import { isRoot, waitFor } from '../../../../tooling/services/state.ts'
import { queueEntries } from '../log/log.ts'
import { toSeconds } from '../outcomes.ts'
import type { JournalEntry } from '../publishing/authors.ts'
import { publishWhile } from '../publishing/run.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type FaultKind, faultKinds, faultsOf, planFaults } from './faults.ts'
import { installCluster } from './packages.ts'
import { watchReads } from './watch-reads.ts'

type Options = {
  kills: number
  pauses: number
  partitions: number
  rate: number
  seconds: number
  /** Entries of the transparency log, beside those of the posts. */
  appends: number
}

/** How long a fault takes with the defaults. */
const secondsPerFault = 45

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Enough posts for slow recoveries; the submissions end with the last fault. */
const mostSecondsPerFault = 120
const removalsPerFault = 20

/**
 * Runs the service on three PostgreSQL nodes with Patroni, each on a host of its own, and kills, pauses and cuts off the
 * primary while posts are submitted, edited, deleted and removed.
 */
export async function losePrimary(options: Options) {
  if (!isOwnMachine()) {
    if (!isRoot) throw new CommandError('This run creates network namespaces: run it as root.')
    installCluster()
    const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    return JSON.parse(await runAsOwnMachine(program, ['primary', ...flags])) as { broken: string[] }
  }
  const { kills, pauses, partitions, rate, seconds, appends } = options
  console.error('Starting etcd, Patroni and PostgreSQL on three hosts …')
  await using cluster = await startCluster()
  process.env['DATABASE_URL'] = cluster.adminUrl
  const plan = planFaults({ kill: kills, pause: pauses, partition: partitions }, faultsOf(cluster))
  console.error('Starting the service …')
  const result = await publishWhile(
    {
      posts: plan.length * mostSecondsPerFault * rate,
      rate,
      endsWith: 'disturbance',
      mostRemovals: plan.length * removalsPerFault,
    },
    async (environment, signal, journal) => {
      await using reads = watchReads(environment.baseUrl)
      const losses: Loss[] = []
      const filling = { appends, seconds: plan.length * secondsPerFault }
      const queued = queueEntries(environment.database.urls.worker, filling, signal)
      const firstTimeline = await cluster.timeline()
      for (const [at, { kind, fault }] of plan.entries()) {
        if (signal.aborted) break
        const loss = await lose(cluster, journal, { kind, fault, seconds })
        losses.push(loss)
        const { what, outage, failover, whole } = loss
        console.error(
          `${at + 1} of ${plan.length}: ${what}. New primary after ${failover} s, no writes for ${outage} s; ` +
            `three nodes ${whole} s after the fault ended.`,
        )
      }
      const missing = plan.length - losses.length
      const denied = [...reads.faults(), ...(missing > 0 ? [`the posts ended ${missing} faults too early`] : [])]
      return {
        write_outage_seconds: summarise(losses),
        longest_after_failover_seconds: Math.max(
          ...losses.map(({ outage, failover }) => toSeconds((outage - failover) * 1_000)),
        ),
        // The primary lost its lock although nothing was done to it: the machine was too slow for the time limits.
        failovers_without_a_fault: (await cluster.timeline()) - firstTimeline - losses.length,
        ...reads.figures(),
        queued: await queued,
        longest_seconds_to_acknowledgement: toSeconds(longestWait(journal)),
        denied,
      }
    },
    // As in a deployment: other runs wait for a connection for minutes.
    { databaseUrlOf: (_, url) => withDefaultConnectTimeout(url) },
  )
  return { ...result, ...cluster.logsIf(result.broken.length > 0) }
}

/** In seconds. `failover`: until another node was the primary. */
type Loss = { kind: FaultKind; what: string; outage: number; failover: number; whole: number }
type Planned = ReturnType<typeof planFaults>[number] & { seconds: number }

/** One fault, from steady writes to steady writes on three nodes. */
async function lose(cluster: Cluster, journal: readonly JournalEntry[], planned: Planned): Promise<Loss> {
  const { primary, untilWhole } = cluster
  const { kind, fault, seconds } = planned
  await untilWhole()
  await untilWriting(journal)
  const host = await primary()
  // Lost by itself meanwhile.
  if (!host) return lose(cluster, journal, planned)
  const beganAt = Date.now()
  await fault.begin(host)
  const [takenOverAt] = await Promise.all([cluster.takenOverFrom(host), sleep(seconds * 1_000)])
  await untilWriting(journal)
  const endedAt = Date.now()
  await fault.end(host)
  await untilWhole()
  const whole = toSeconds(Date.now() - endedAt)
  await untilWriting(journal)
  return {
    kind,
    what: fault.what,
    outage: toSeconds(longestGap(journal, beganAt)),
    failover: toSeconds(takenOverAt - beganAt),
    whole,
  }
}

/** Waits until posts were acknowledged in each of three seconds. */
async function untilWriting(journal: readonly JournalEntry[]): Promise<void> {
  const isSteady = async () => {
    const times = journal.slice(-200).map(({ acknowledgedAt }) => Date.now() - acknowledgedAt)
    return [0, 1, 2].every((second) => times.some((age) => Math.floor(age / 1_000) === second))
  }
  await waitFor(isSteady, 'posts to be acknowledged')
}

/** The longest time without an acknowledgement that began after this moment or included it. */
function longestGap(journal: readonly JournalEntry[], since: number): number {
  const times = journal.map(({ acknowledgedAt }) => acknowledgedAt)
  const gaps = times.slice(1).map((time, at) => (time > since ? time - Number(times[at]) : 0))
  return Math.max(0, ...gaps.slice(-10_000))
}

const longestWait = (journal: readonly JournalEntry[]) =>
  journal.reduce((longest, { submittedAt, acknowledgedAt }) => Math.max(longest, acknowledgedAt - submittedAt), 0)

function summarise(losses: readonly Loss[]) {
  const rows = faultKinds.map((kind) => {
    const all = losses.filter((loss) => loss.kind === kind).map(({ outage }) => outage)
    const sorted = all.toSorted((one, other) => one - other)
    const middle =
      (Number(sorted[Math.floor((sorted.length - 1) / 2)]) + Number(sorted[Math.floor(sorted.length / 2)])) / 2
    return [kind, { faults: all.length, median: toSeconds(middle * 1_000), worst: sorted.at(-1) ?? 0, all }] as const
  })
  return Object.fromEntries(rows)
}
