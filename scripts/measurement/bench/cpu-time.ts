import { readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second on every machine. */
const ticksPerSecond = 100

/** The CPU seconds that these processes have used. Processes that have exited count as zero. */
export const cpuSeconds = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + secondsOf(pid), 0)

function secondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) / ticksPerSecond
  } catch {
    return 0
  }
}

/** The CPU seconds that all cores of the machine have used. */
export function machineSeconds(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user, nice, system, _idle, _waiting, ...interrupts] = total.split(/\s+/).slice(1, 9).map(Number)
  return [user, nice, system, ...interrupts].reduce<number>((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

/** The environment in which a process writes a CPU profile into this folder when it exits. */
export const profiling = (folder: string | undefined) =>
  folder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` } : {}
