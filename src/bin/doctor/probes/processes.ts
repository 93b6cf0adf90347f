import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import {
  definitionOf,
  failuresOf,
  type MetricName,
  metricTable,
  prometheusName,
} from '../../../platform/observability/metric-table.ts'
import { runsLocalModel } from '../../startup/process-rules.ts'
import { askService, localAddress, type Reply } from '../ask.ts'
import { type Context, codeOf, must, type Probe, should } from '../probe.ts'

type Process = { name: string; unit: string; url: string; hasReadiness: boolean }

function listProcesses({ read }: Context): Process[] {
  const settings = read([
    ...(['LISTEN_HOST', 'API_HEALTH_PORT', 'API_PROCESSES', 'WORKER_HEALTH_PORT', 'WORKER_PROCESSES'] as const),
    ...(['OWNER_PAGE_HEALTH_PORT', 'DESK_HEALTH_PORT', 'CARDS_HEALTH_PORT'] as const),
    ...(['MODEL_URL', 'MODEL_PORT', 'MODEL_DRIVER', 'JUDGE_URL'] as const),
  ])
  const host = localAddress(settings.LISTEN_HOST)
  const one = (name: string, unit: string, port: number) => ({
    ...{ name, unit, url: `http://${host}:${port}`, hasReadiness: true },
  })
  const several = (name: string, count: number, port: number) =>
    Array.from({ length: count }, (_, index) =>
      one(`${name} ${index + 1}`, `broadside-${name}@${index + 1}`, port + index),
    )
  // A model that workers start on demand may be stopped.
  const hasModel = runsLocalModel(settings) || settings.MODEL_DRIVER === 'always-on'
  return [
    ...several('api', settings.API_PROCESSES, settings.API_HEALTH_PORT),
    ...several('worker', settings.WORKER_PROCESSES, settings.WORKER_HEALTH_PORT),
    one('owner page', 'broadside-owner-page', settings.OWNER_PAGE_HEALTH_PORT),
    one('desk', 'broadside-desk', settings.DESK_HEALTH_PORT),
    one('cards', 'broadside-cards', settings.CARDS_HEALTH_PORT),
    ...(hasModel ? [{ name: 'model', unit: 'broadside-model', url: settings.MODEL_URL, hasReadiness: false }] : []),
  ]
}

export const processesProbe: Probe = {
  name: 'processes',
  expects: 'each process answers and is ready',
  look: async (context) => {
    const found = []
    // One after the other: a busy machine answers many at once more slowly than each.
    for (const one of listProcesses(context)) found.push(...(await examine(context, one)))
    return found
  },
}

async function examine(context: Context, { name, unit, url, hasReadiness }: Process) {
  const log = `its log: journalctl -u ${unit} -n 50`
  const start = `${context.unit('start', unit)}; ${log}`
  const restart = `${context.unit('restart', unit)}; ${log}`
  const askFor = async (path: string) => answerOf(await askService(`${url}${path}`, context))
  try {
    const health = await askFor('/healthz')
    const isOurs = health.says !== undefined
    const isUp = isOurs && health.status === 200
    const ready = isUp && hasReadiness ? await askFor('/readyz') : undefined
    const stop = `Find it with \`ss -ltnp\` and stop it, or change the port. Then: ${context.unit('restart', unit)}`
    const causes = `${context.broadside('doctor --only database,roles,schema')}; ${log}`
    return [
      must(isOurs, `Another program answers at ${url}, where the ${name} process should be.`, stop),
      must(isUp || !isOurs, `The ${name} process reports that it is ${health.says}.`, restart),
      must((ready?.status ?? 200) === 200, `The ${name} process is up but not ready: ${ready?.reason}.`, causes),
    ]
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ETIMEDOUT')
      return [must(false, `The ${name} process was asked twice and does not answer at ${url}: it hangs.`, restart)]
    return [must(false, `The ${name} process does not run: nothing listens at ${url} (${code}).`, start)]
  }
}

/** Our own words, so they can be printed. `says` is missing if another program answers. */
function answerOf({ status, body }: Reply): { status: number; says?: string; reason?: string } {
  try {
    const { status: says, reason } = JSON.parse(body) as { status?: string; reason?: string }
    return { status, ...(says && { says, reason: reason ?? 'it gives no reason' }) }
  } catch {
    return { status }
  }
}

const mostShown = 3

export const countersProbe: Probe = {
  name: 'counters',
  expects: 'no running process has counted a failure since it started',
  look: async (context) => {
    const found = []
    for (const { name, url } of listProcesses(context)) {
      // The probe of the processes says that one does not answer.
      const reply = await askService(`${url}/metrics`, context).catch(() => undefined)
      for (const { times, series, metric } of failuresIn(reply?.body ?? '')) {
        const shown = `${series.slice(0, mostShown).join(', ')}${series.length > mostShown ? ' …' : ''}`
        const cause = `The ${name} process has counted ${times} failures since it started: ${shown}.`
        found.push(should(false, cause, `See ${runbookFor(metric)}, and the log of the process.`))
      }
    }
    return found
  },
}

/** What a scrape has counted as failures, for each metric. */
function failuresIn(scrape: string) {
  const samples = [...scrape.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: new Map(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text]),
    ),
    value: Number(value),
  }))
  return (Object.keys(metricTable) as MetricName[]).flatMap((metric) => {
    const failures = failuresOf(metric)
    const own = samples
      .filter(({ name, labels, value }) => name === failures?.series && value > 0 && failures.isFailure(labels))
      .sort((one, other) => other.value - one.value)
    const times = own.reduce((sum, { value }) => sum + value, 0)
    const series = own.map(({ name, labels, value }) => {
      // Without those that every series of the process has.
      const told = [...labels].filter(([label]) => labelsOf(metric).includes(label))
      return `${value} × ${name}{${told.map(([label, text]) => `${label}="${text}"`).join(',')}}`
    })
    return times > 0 ? [{ metric, times, series }] : []
  })
}

const labelsOf = (metric: MetricName) => definitionOf(metric).labels?.map((label) => label.replaceAll('.', '_')) ?? []

const alertsFile = new URL('../../../../deploy/prometheus/alerts.yml', import.meta.url)
type Alerts = { groups: { rules: { expr: string; annotations: { runbook: string } }[] }[] }

/** The runbook of the alert that watches a metric. */
function runbookFor(metric: MetricName): string {
  const { groups } = parse(readFileSync(alertsFile, 'utf8')) as Alerts
  const rule = groups.flatMap(({ rules }) => rules).find(({ expr }) => expr.includes(prometheusName(metric)))
  return rule?.annotations.runbook ?? 'docs/monitoring.md'
}
