import { execFileSync, spawn } from 'node:child_process'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asProduction, settingsFor } from '../../../tooling/environment/processes.ts'
import { median } from '../../../tooling/median.ts'
import { decimal, readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { answers } from '../../../tooling/services/stack.ts'
import { quietPort, repoDir, stopProcess, waitFor } from '../../../tooling/services/state.ts'
import { cpuSeconds, printTable } from './harness.ts'

/** Each process of one machine, and the setting for the port that says when it is ready. */
const healthPorts = {
  ...{ api: 'API_HEALTH_PORT', worker: 'WORKER_HEALTH_PORT', model: 'MODEL_PORT', desk: 'DESK_HEALTH_PORT' },
  ...{ 'owner-page': 'OWNER_PAGE_HEALTH_PORT', cards: 'CARDS_HEALTH_PORT', 'gateway-metrics': 'GATEWAY_METRICS_PORT' },
} as const

export async function benchStart(args: string[]): Promise<void> {
  const { rounds, idle } = readOptions(args, { rounds: wholeNumber(5), idle: decimal(60) })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-bench-'))
  await using database = await migratedDatabase('bench')
  const accessLog = join(folder.path, 'access.log')
  await writeFile(accessLog, '')
  const environment: Record<string, string | undefined> = {
    ...asProduction(await settingsFor(database)),
    ...{ PATH: process.env['PATH'], NODE_ENV: 'production', LOG_LEVEL: 'warn', GATEWAY_ACCESS_LOG: accessLog },
    ...{ NODE_COMPILE_CACHE: join(folder.path, 'compiled'), GATEWAY_METRICS_PORT: String(await quietPort()) },
    ...{ PAGES_DIRECTORY: join(folder.path, 'pages'), ERASURE_LOG: join(folder.path, 'erasures') },
  }
  await using running = new AsyncDisposableStack()
  const pids: number[] = []
  const starts: Record<string, Record<string, number>> = {}
  for (const [name, port] of Object.entries(healthPorts)) {
    const times: { cpu: number; seconds: number }[] = []
    for (let round = 0; round <= rounds; round++) {
      const { pid, ...time } = await start(environment, name, String(environment[port]))
      // The first start fills caches; the last one keeps running.
      if (round > 0) times.push(time)
      if (round < rounds) await stopProcess(pid)
      else {
        running.defer(() => stopProcess(pid))
        pids.push(pid)
      }
    }
    starts[name] = {
      'CPU s': median(times.map(({ cpu }) => cpu)),
      'wall s': median(times.map(({ seconds }) => seconds)),
    }
  }
  const script = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6)'
  const bare = Array.from({ length: rounds }, () => Number(execFileSync(process.execPath, ['-e', script])))
  for (const row of Object.values(starts)) row['ratio to node -e 0'] = Number(row['CPU s']) / median(bare)
  printTable('from the start until ready; bar: 0.5 s of CPU', starts)
  printTable(
    `after ${idle} s without work; bars: 900 MB of PSS in all, 1 % of a core for the worker`,
    await measureIdle(pids, idle),
  )
}

async function start(env: Record<string, string | undefined>, name: string, healthPort: string) {
  const startedAt = performance.now()
  const words = ['src/bin/broadside.ts', name]
  const child = spawn(process.execPath, words, { cwd: repoDir, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const readyUrl = `http://127.0.0.1:${healthPort}/${name === 'model' ? 'healthz' : 'readyz'}`
  await waitFor(async () => child.exitCode !== null || (await answers(readyUrl)), `${name} to be ready`)
  if (child.exitCode !== null) throw new Error(`${name} exited instead of starting`)
  const pid = Number(child.pid)
  return { pid, cpu: cpuSeconds([pid]), seconds: (performance.now() - startedAt) / 1_000 }
}

/** PSS counts pages that several processes share, such as Node's, once. */
async function measureIdle(pids: readonly number[], seconds: number) {
  const before = pids.map((pid) => cpuSeconds([pid]))
  await sleep(seconds * 1_000)
  const rows: Record<string, Record<string, number>> = {}
  for (const [index, name] of Object.keys(healthPorts).entries()) {
    const pid = Number(pids[index])
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
    const percent = ((cpuSeconds([pid]) - Number(before[index])) / seconds) * 100
    rows[name] = { 'PSS MB': Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1_000, 'CPU %': percent }
  }
  const total = (column: string) => Object.values(rows).reduce((sum, row) => sum + Number(row[column]), 0)
  return { ...rows, all: { 'PSS MB': total('PSS MB'), 'CPU %': total('CPU %') } }
}
