import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ceilings, platformBurst } from '../../../../src/contract/limits.ts'
import { decimal, oneOf, readOptions, wholeNumber } from '../../../../tooling/script-options.ts'
import { cpuSeconds } from '../cpu-time.ts'
import { addresses, openEnvironment } from './ceiling-environment.ts'
import { findWrk, type Outcome, runWrk } from './paced-wrk.ts'
import { pages } from './static.ts'

const offeredPerSecond = 2_000
const apiConnections = 128
const readerConnections = 32
/** The fixed rate of page readers, lower than the machine can serve in addition to everything else. */
const readPerSecond = 2_000

/** The bars that were set when the rate limit was introduced. */
const bars = { accepted: 0.05, reading: 0.9 }

type Manner = 'flat out' | 'fixed rate'
type Reading = { manner: Manner; alone: Outcome; during: Outcome; ratio: number }

/**
 * Measures a flood at the rate limit, and page readers alone and during the flood, alternating. With --gateways 2, the
 * flood goes to two gateways that share the limit, and with --at one to only one of them.
 */
export async function benchCeiling(args: string[]): Promise<void> {
  const { seconds, rounds, gateways, at } = readOptions(args, {
    seconds: decimal(20, { min: 6 }),
    rounds: wholeNumber(3),
    gateways: oneOf(['1', '2'], '1'),
    at: oneOf(['one', 'all'], 'all'),
  })
  const wrk = findWrk()
  if (!wrk) {
    console.error('wrk was not found. Run scripts/setup.')
    process.exitCode = 1
    return
  }
  await using stack = new AsyncDisposableStack()
  const environment = {
    ...(await openEnvironment(stack, gateways === '2' ? 2 : 1)),
    addresses: at === 'one' ? addresses.slice(0, 1) : addresses,
  }
  console.log(
    `${offeredPerSecond}/s to the API for ${seconds} s over ${environment.hosts.length} sites and ${environment.addresses.length} ` +
      `addresses; page reads for ${seconds / 2} s alone, then during the flood; ${rounds} rounds, median ratio.`,
  )
  const options = `--seconds ${seconds} --rounds ${rounds} --gateways ${gateways} --at ${at}`
  console.log(`Repeat with: npm run bench -- ceiling ${options}`)
  const readings: Reading[] = []
  for (let round = 0; round < rounds; round++)
    for (const manner of ['flat out', 'fixed rate'] as const)
      readings.push(await oneRound(wrk, environment, { manner, seconds, aloneFirst: round % 2 === 0 }))
  for (const manner of ['flat out', 'fixed rate'] as const) reportReading(readings, manner)
}

type Environment = Awaited<ReturnType<typeof openEnvironment>> & { addresses: readonly string[] }

type Round = { manner: Manner; seconds: number; aloneFirst: boolean }

/** Every other round starts with the flood, because the second of two runs may find the machine warmer or busier. */
async function oneRound(
  wrk: string,
  environment: Environment,
  { manner, seconds, aloneFirst }: Round,
): Promise<Reading> {
  const { apiPids, ...target } = environment
  const read = (duration: number) =>
    runWrk(wrk, {
      ...{ ...target, paths: pages.map(({ path }) => path), encoding: 'gzip' },
      ...{ connections: readerConnections, seconds: duration, countsStatuses: false },
      ...(manner === 'fixed rate' && { perSecond: readPerSecond }),
    })
  const readDuring = async () => {
    await untilBucketIsEmpty()
    const spent = cpuSeconds(apiPids)
    const flood = runWrk(wrk, {
      ...{ ...target, paths: ['/v1/status', '/v1/posts?limit=20'] },
      ...{ connections: apiConnections, seconds, perSecond: offeredPerSecond, countsStatuses: true },
    })
    await sleep(1_000)
    const during = await read(seconds - 2)
    reportFlood(await flood, cpuSeconds(apiPids) - spent, manner)
    return during
  }
  const before = aloneFirst ? await read(seconds / 2) : undefined
  const during = await readDuring()
  const alone = before ?? (await read(seconds / 2))
  for (const { not_2xx, lost } of [alone, during]) assert(not_2xx + lost === 0, 'some page requests got no response')
  return { manner, alone, during, ratio: rateOf(during) / rateOf(alone) }
}

const untilBucketIsEmpty = () => sleep((1_000 * platformBurst) / ceilings.platform.max + 500)

const rateOf = ({ requests, seconds }: Outcome) => requests / seconds

function reportFlood(flood: Outcome, apiCpuSeconds: number, manner: Manner): void {
  const counted = (first: string) =>
    Object.entries(flood.statuses).reduce((sum, [status, count]) => sum + (status.startsWith(first) ? count : 0), 0)
  const [accepted, failed, refused] = [counted('2'), counted('5'), flood.statuses['429'] ?? 0]
  const expected = ceilings.platform.max * flood.seconds + platformBurst
  const deviation = accepted / expected - 1
  const document = JSON.parse(flood.sample || 'null')
  assert(
    document?.code === 'platform_busy' && document.status === 429,
    'a refusal is not the expected problem document',
  )
  const others = flood.requests - accepted - failed - refused
  console.log(
    `flood, readers ${manner}: offered ${rateOf(flood).toFixed(0)}/s, accepted ${accepted} of ${expected.toFixed(0)} ` +
      `(${signed(deviation)}), 429 ${refused} (${flood.strange} malformed), 5xx ${failed}, ` +
      `other ${others}, lost ${flood.lost}; API used ${apiCpuSeconds.toFixed(1)} s of CPU time`,
  )
  const numbers = { offered: Math.round(rateOf(flood)), accepted, expected: Math.round(expected), refused, failed }
  console.log(JSON.stringify({ bench: 'ceiling', load: `flood, readers ${manner}`, ...numbers, lost: flood.lost }))
  const isGood = Math.abs(deviation) <= bars.accepted && failed + others + flood.strange + flood.lost === 0
  if (!isGood) miss(`the flood: within ${bars.accepted * 100} %, all others get a 429 problem document, none lost`)
}

const signed = (part: number) => `${part < 0 ? '−' : '+'}${Math.abs(part * 100).toFixed(1)} %`

function reportReading(readings: readonly Reading[], manner: Manner): void {
  const own = readings.filter((reading) => reading.manner === manner).sort((one, other) => one.ratio - other.ratio)
  const middle = own[Math.floor(own.length / 2)]
  assert(middle)
  const { alone, during, ratio } = middle
  const all = own.map((reading) => reading.ratio.toFixed(2)).join(', ')
  console.log(
    `pages, ${manner}: alone ${rateOf(alone).toFixed(0)}/s (p99 ${alone.p99_ms} ms), during the flood ` +
      `${rateOf(during).toFixed(0)}/s (p99 ${during.p99_ms} ms), ratio ${ratio.toFixed(2)} (of ${all})`,
  )
  const numbers = { alone: Math.round(rateOf(alone)), during: Math.round(rateOf(during)) }
  const rounded = Math.round(ratio * 1_000) / 1_000
  console.log(JSON.stringify({ bench: 'ceiling', load: `pages, ${manner}`, ...numbers, ratio: rounded }))
  if (ratio < bars.reading) miss(`pages, ${manner}: at least ${bars.reading} of the rate without the flood`)
}

function miss(bar: string): void {
  console.log(`MISSED: ${bar}`)
  process.exitCode = 1
}
