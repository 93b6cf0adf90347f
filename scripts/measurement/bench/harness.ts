import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, percentile } from '../../../tooling/median.ts'

/**
 * Measures all sides in turns, so that noise affects each, after a first round that only warms up. Prints the median of
 * each side, and its ratio to the first side in the same round.
 */
export async function compare(what: string, rounds: number, sides: Record<string, () => Promise<number>>) {
  const names = Object.keys(sides)
  const measured = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round <= rounds; round++)
    for (const turn of names.keys()) {
      const name = String(names[(round + turn) % names.length])
      const value = await sides[name]?.()
      if (round > 0) measured.get(name)?.push(Number(value))
    }
  const first = measured.get(String(names[0])) ?? []
  const rows = [...measured].map(([name, values]) => {
    const ratios = values.map((value, round) => value / Number(first[round]))
    const [from, to] = [Math.min(...ratios), Math.max(...ratios)]
    return [name, { median: median(values), ratio: median(ratios), from, to }] as const
  })
  printTable(`${what}, ${rounds} rounds`, Object.fromEntries(rows))
}

export function printTable(title: string, rows: Record<string, Record<string, number | string>>): void {
  console.log(`\n${title}`)
  const short = (value: number | string) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value)
  const cells = (row: Record<string, number | string>) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, short(value)]))
  console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, cells(row)])))
}

export const clients = 16

/**
 * Repeats a call from several clients: as fast as they can, or at a fixed rate. Then times are measured from when a call
 * was due, so waiting for a late one counts.
 */
export async function load({ seconds, perSecond }: { seconds: number; perSecond?: number }, call: () => Promise<void>) {
  const times: number[] = []
  const startedAt = performance.now()
  const until = startedAt + seconds * 1_000
  const everyMs = perSecond === undefined ? 0 : (1_000 * clients) / perSecond
  const client = async (index: number) => {
    for (let due = startedAt + (index * everyMs) / clients; due < until; ) {
      if (everyMs > 0) await sleep(Math.max(0, due - performance.now()))
      await call()
      times.push(performance.now() - due)
      due = everyMs > 0 ? due + everyMs : performance.now()
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
  return { perSecond: times.length / ((performance.now() - startedAt) / 1_000), ...percentilesOf(times) }
}

export const percentilesOf = (times: readonly number[]) => ({
  p50: percentile(times, 0.5),
  p95: percentile(times, 0.95),
  p99: percentile(times, 0.99),
})

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** The CPU seconds that these processes have used. The kernel counts in hundredths of a second. */
export const cpuSeconds = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + secondsOf(pid), 0)

function secondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
