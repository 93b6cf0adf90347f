import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { quietPort, waitFor } from '../../../tooling/services/state.ts'

type Options = {
  folder: string
  rules: readonly { name: string; text: string }[]
  /** The health addresses of the processes, as host:port, by job. */
  targets: Record<string, readonly string[]>
}

/** A real Prometheus with these rules. It scrapes so rarely because a busy worker takes seconds to answer. */
export async function startPrometheus({ folder, rules, targets }: Options) {
  mkdirSync(folder, { recursive: true })
  const configuration = {
    global: { scrape_interval: '4s', scrape_timeout: '4s', evaluation_interval: '1s' },
    rule_files: rules.map(({ name }) => name),
    scrape_configs: Object.entries(targets).map(([job_name, addresses]) => ({
      job_name,
      static_configs: [{ targets: addresses }],
    })),
  }
  writeFileSync(join(folder, 'prometheus.yml'), stringify(configuration))
  for (const { name, text } of rules) writeFileSync(join(folder, name), text)
  const port = await quietPort()
  const log = openSync(join(folder, 'prometheus.log'), 'a')
  const child = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', 'prometheus', `--config.file=${join(folder, 'prometheus.yml')}`],
      ...[`--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`],
    ],
    { stdio: ['ignore', log, log] },
  )
  closeSync(log)
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => {
    if (child.exitCode !== null)
      throw new Error(`Prometheus ended. Run scripts/setup, or see ${folder}/prometheus.log.`)
    return (await fetch(`${url}/-/ready`)).ok
  }
  await waitFor(isReady, `Prometheus to be ready. See ${folder}/prometheus.log`, 60_000)
  return { client: openPrometheusClient(url), [Symbol.asyncDispose]: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

export type PrometheusClient = ReturnType<typeof openPrometheusClient>

type Answer = { status: string; error?: string; data: { result: { metric: Record<string, string> }[] } }

function openPrometheusClient(url: string) {
  return {
    /** The labels of each series that the query finds now. */
    now: async (query: string) => {
      const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`)
      const { status, error, data } = (await response.json()) as Answer
      if (status !== 'success') throw new Error(`${query}: ${error}`)
      return data.result.map(({ metric }) => ({ labels: metric }))
    },
  }
}
