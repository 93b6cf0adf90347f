import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../../../tooling/median.ts'
import { decimal, readOptions, text, wholeNumber } from '../../../tooling/script-options.ts'
import { cpuSeconds } from '../bench/cpu-time.ts'
import { countOf, openProcessSet, type ProcessName, processNames, type Started } from './process-set.ts'

/** CPU time from the start of a process until it is ready. */
const startBarSeconds = 0.5
/** The proportional memory of all processes of a machine: pages that several share, such as Node's, count once. */
const memoryBarMegabytes = 900
/** CPU time of a worker without work, as a share of one core. */
const idleWorkerBarPercent = 1

type Set = Awaited<ReturnType<typeof openProcessSet>>
type Starts = { name: ProcessName; cpu: number; wall: number }
type Idle = { name: ProcessName; rss: number; pss: number; percent: number }

/** Starts each process alone, and then all together, and measures what they cost before they have any work. */
export async function benchProcesses(args: string[]): Promise<void> {
  const options = { starts: wholeNumber(5), settle: decimal(30), seconds: decimal(60), profile: text('FOLDER') }
  const { starts: rounds, settle, seconds, profile } = readOptions(args, options)
  await using set = await openProcessSet()
  const bare = bareSeconds(rounds)
  const starts: Starts[] = []
  for (const name of processNames) starts.push(await measureStarts(set, name, rounds, profile))
  printStarts(starts, bare)
  const idle = await measureIdle(set, settle, seconds)
  printIdle(idle)
}

/** What Node itself takes, measured by the process at its end. */
function bareSeconds(rounds: number): number {
  const script = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6)'
  return median(Array.from({ length: rounds }, () => Number(execFileSync(process.execPath, ['-e', script]))))
}

async function measureStarts(set: Set, name: ProcessName, rounds: number, profile?: string): Promise<Starts> {
  const times: { cpu: number; wall: number }[] = []
  // The first start fills caches: those of the system, and that of compiled code.
  for (let round = 0; round <= rounds; round++) {
    await using started = await set.start(name, profile)
    if (round > 0) times.push({ cpu: cpuSeconds([started.pid]), wall: started.readySeconds })
  }
  return { name, cpu: median(times.map(({ cpu }) => cpu)), wall: median(times.map(({ wall }) => wall)) }
}

async function measureIdle(set: Set, settleSeconds: number, seconds: number): Promise<Idle[]> {
  await using stack = new AsyncDisposableStack()
  const running: Started[] = []
  for (const name of processNames)
    for (let copy = 0; copy < countOf[name]; copy++) running.push(stack.use(await set.start(name)))
  await pause(settleSeconds * 1_000)
  const before = running.map(({ pid }) => cpuSeconds([pid]))
  const startedAt = performance.now()
  await pause(seconds * 1_000)
  const wall = (performance.now() - startedAt) / 1_000
  return running.map(({ name, pid }, index) => ({
    ...{ name, ...memoryOf(pid) },
    percent: ((cpuSeconds([pid]) - Number(before[index])) / wall) * 100,
  }))
}

/** In megabytes: all resident pages, and the same with shared pages divided among the processes that share them. */
function memoryOf(pid: number): { rss: number; pss: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const read = (label: string) => Number(new RegExp(`^${label}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1]) / 1_000
  return { rss: read('Rss'), pss: read('Pss') }
}

function printStarts(starts: readonly Starts[], bare: number): void {
  console.log(
    `\nStart until ready, medians. Bare \`node -e 0\`: ${bare.toFixed(2)} s of CPU. Bar: ${startBarSeconds} s`,
  )
  console.table(
    Object.fromEntries(
      starts.map(({ name, cpu, wall }) => [
        name,
        {
          'CPU s': round(cpu),
          'to bare': round(cpu / bare),
          'wall s': round(wall),
          passes: judge(cpu < startBarSeconds),
        },
      ]),
    ),
  )
}

function printIdle(idle: readonly Idle[]): void {
  const total = (of: (one: Idle) => number) => idle.reduce((sum, one) => sum + of(one), 0)
  const [rss, pss, worker] = [
    total((one) => one.rss),
    total((one) => one.pss),
    idle.find(({ name }) => name === 'worker')?.percent ?? 0,
  ]
  console.log(
    `\nIdle. Bars: ${memoryBarMegabytes} MB of PSS in total, ${idleWorkerBarPercent} % of a core for the worker`,
  )
  console.table(
    [...idle, { name: 'total', rss, pss, percent: total(({ percent }) => percent) }].map((one) => ({
      name: one.name,
      'RSS MB': Math.round(one.rss),
      'PSS MB': Math.round(one.pss),
      'CPU %': round(one.percent),
    })),
  )
  console.log(`memory: ${judge(pss < memoryBarMegabytes)}; idle worker: ${judge(worker < idleWorkerBarPercent)}`)
}

function judge(passes: boolean): 'yes' | 'no' {
  if (!passes) process.exitCode = 1
  return passes ? 'yes' : 'no'
}

const round = (value: number) => Math.round(value * 100) / 100
