import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asProduction, settingsFor } from '../../../tooling/environment/processes.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { answers } from '../../../tooling/services/stack.ts'
import { quietPort, repoDir, stopProcess, waitFor } from '../../../tooling/services/state.ts'

export const processNames = ['api', 'worker', 'model', 'owner-page', 'desk', 'cards', 'gateway-metrics'] as const
export type ProcessName = (typeof processNames)[number]

/** How many of each broadside.target starts on one machine. */
export const countOf: Record<ProcessName, number> = {
  ...{ api: 2, worker: 1, model: 1, 'owner-page': 1, desk: 1, cards: 1, 'gateway-metrics': 1 },
}

export type Started = AsyncDisposable & { name: ProcessName; pid: number; readySeconds: number }

/** Starts the processes of one machine with the settings and the arguments of production, on a database of their own. */
export async function openProcessSet() {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const database = opening.use(await migratedDatabase('bench'))
  const settings = { ...asProduction(await settingsFor(database)), LOG_LEVEL: 'warn' }
  const accessLog = join(folder, 'access.log')
  await writeFile(accessLog, '')
  const stack = opening.move()

  const start = async (name: ProcessName, profile?: string): Promise<Started> => {
    const [port, healthPort] = [String(await quietPort()), String(await quietPort())]
    const ports: Record<ProcessName, Record<string, string>> = {
      api: { API_PORT: port, API_HEALTH_PORT: healthPort },
      worker: { WORKER_HEALTH_PORT: healthPort },
      model: { MODEL_PORT: healthPort },
      'owner-page': { OWNER_PAGE_PORT: port, OWNER_PAGE_HEALTH_PORT: healthPort },
      desk: { DESK_PORT: port, DESK_HEALTH_PORT: healthPort },
      cards: { CARDS_PORT: port, CARDS_HEALTH_PORT: healthPort },
      'gateway-metrics': { GATEWAY_ACCESS_LOG: accessLog, GATEWAY_METRICS_PORT: healthPort },
    }
    const env = {
      PATH: process.env['PATH'],
      ...settings,
      ...{ NODE_ENV: 'production', NODE_COMPILE_CACHE: join(folder, 'compiled', name) },
      ...{ PAGES_DIRECTORY: join(folder, 'pages'), ERASURE_LOG: join(folder, 'erasures') },
      ...ports[name],
    }
    const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
    const startedAt = performance.now()
    const child = spawn(process.execPath, [...profiling, 'src/bin/broadside.ts', name], {
      cwd: repoDir,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const isRunning = () => child.exitCode === null && child.signalCode === null
    const readyUrl = `http://127.0.0.1:${healthPort}/${name === 'model' ? 'healthz' : 'readyz'}`
    await waitFor(async () => !isRunning() || (await answers(readyUrl)), `${name} to be ready`)
    if (!isRunning()) throw new Error(`${name} exited instead of starting`)
    const pid = Number(child.pid)
    const readySeconds = (performance.now() - startedAt) / 1_000
    return { name, pid, readySeconds, [Symbol.asyncDispose]: () => stopProcess(pid) }
  }
  return { start, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
