import type { MetricDefinition } from './metric-definition.ts'
import { serviceMetrics } from './service-metrics.ts'

const everywhere = ['api', 'worker', 'owner-page', 'desk', 'cards', 'model', 'gateway'] as const
const servers = ['api', 'owner-page', 'desk', 'model'] as const
const withDatabase = ['api', 'worker', 'owner-page', 'desk'] as const
const worker = ['worker'] as const

/** The boundaries of OpenTelemetry's conventions for HTTP and for databases. */
const httpBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const databaseBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

const loopDelay = (what: string) =>
  ({
    type: 'gauge',
    unit: 's',
    exportedBy: everywhere,
    says: `Event loop delay since the last scrape: ${what}.`,
  }) as const

/** The metrics with names and labels of OpenTelemetry's semantic conventions. */
const standardMetrics = {
  'http.server.request.duration': {
    type: 'histogram',
    unit: 's',
    labels: [
      'http.request.method',
      'http.route',
      'http.response.status_code',
      'url.scheme',
      'error.type',
      'operation',
      'status',
      'server.address',
    ],
    exportedBy: [...servers, 'gateway'],
    buckets: httpBuckets,
    failures: { label: 'error.type' },
    says: 'Response time. Requests that a process rejects because of overload are counted in http.server.requests.shed instead. The gateway’s requests come from its access log and have server.address.',
  },
  'http.server.active_requests': {
    type: 'up-down-counter',
    labels: ['http.request.method', 'url.scheme'],
    exportedBy: servers,
    says: 'Requests in progress.',
  },
  'http.client.request.duration': {
    type: 'histogram',
    unit: 's',
    labels: ['http.request.method', 'http.response.status_code', 'server.address', 'server.port', 'error.type'],
    exportedBy: worker,
    buckets: httpBuckets,
    failures: {
      label: 'error.type',
      values: ['unreachable', 'broken_off', 'timeout', 'status', 'too_large', 'not_json'],
    },
    says: 'Response time of the model and the judge.',
  },
  'db.client.operation.duration': {
    type: 'histogram',
    unit: 's',
    labels: ['db.system.name', 'db.operation.name', 'error.type'],
    exportedBy: withDatabase,
    buckets: databaseBuckets,
    says: 'Duration of SQL statements, by their first word.',
  },
  'db.client.connection.count': {
    type: 'up-down-counter',
    labels: ['db.client.connection.pool.name', 'db.client.connection.state'],
    exportedBy: withDatabase,
    says: 'Open database connections, by pool and state (idle or used).',
  },
  'db.client.connection.max': {
    type: 'up-down-counter',
    labels: ['db.client.connection.pool.name'],
    exportedBy: withDatabase,
    says: 'Maximum number of open database connections, by pool.',
  },
  'db.client.connection.pending_requests': {
    type: 'up-down-counter',
    labels: ['db.client.connection.pool.name'],
    exportedBy: withDatabase,
    says: 'Calls that wait for a free database connection, by pool.',
  },
  'messaging.process.duration': {
    type: 'histogram',
    unit: 's',
    labels: ['messaging.system', 'messaging.operation.name', 'messaging.destination.name', 'error.type'],
    exportedBy: worker,
    buckets: httpBuckets,
    says: 'Duration of a run of a job. Failed runs have the label error.type.',
  },
  'nodejs.eventloop.delay.min': loopDelay('minimum'),
  'nodejs.eventloop.delay.max': loopDelay('maximum'),
  'nodejs.eventloop.delay.mean': loopDelay('mean'),
  'nodejs.eventloop.delay.stddev': loopDelay('standard deviation'),
  'nodejs.eventloop.delay.p50': loopDelay('median'),
  'nodejs.eventloop.delay.p90': loopDelay('90th percentile'),
  'nodejs.eventloop.delay.p99': loopDelay('99th percentile'),
  'nodejs.eventloop.utilization': {
    type: 'gauge',
    unit: '1',
    exportedBy: everywhere,
    says: 'Share of the time since the last scrape in which the event loop was busy.',
  },
  'nodejs.eventloop.time': {
    type: 'counter',
    unit: 's',
    labels: ['nodejs.eventloop.state'],
    exportedBy: everywhere,
    says: 'Time that the event loop was active or idle.',
  },
  'v8js.memory.heap.used': {
    type: 'up-down-counter',
    unit: 'By',
    labels: ['v8js.heap.space.name'],
    exportedBy: everywhere,
    says: 'Used heap memory, by heap space.',
  },
  'v8js.memory.heap.limit': {
    type: 'up-down-counter',
    unit: 'By',
    labels: ['v8js.heap.space.name'],
    exportedBy: everywhere,
    says: 'Allocated heap memory, by heap space.',
  },
  'process.memory.usage': {
    type: 'up-down-counter',
    unit: 'By',
    exportedBy: everywhere,
    says: 'Resident memory of the process.',
  },
  'process.cpu.time': {
    type: 'counter',
    unit: 's',
    labels: ['cpu.mode'],
    exportedBy: everywhere,
    says: 'Processor time of the process.',
  },
  'process.uptime': { type: 'gauge', unit: 's', exportedBy: everywhere, says: 'Time since the process started.' },
} satisfies Record<string, MetricDefinition>

/**
 * All metrics. docs/monitoring.md has the same table, and a test compares them. Names and labels are part of the
 * contract: see docs/decisions/0071.
 */
export const metricTable = { ...standardMetrics, ...serviceMetrics }

export type MetricName = keyof typeof metricTable

export const definitionOf = (name: MetricName): MetricDefinition => metricTable[name]

const suffixes = { s: 'seconds', By: 'bytes', '1': 'ratio' }

/**
 * The name with the unit, by the rules for OpenTelemetry metrics in Prometheus, which the exporter does not apply. Some
 * names had the unit before.
 */
export function exportedName(name: MetricName): string {
  const { unit } = definitionOf(name)
  const suffix = unit && suffixes[unit]
  return !suffix || name.endsWith(`.${suffix}`) ? name : `${name}.${suffix}`
}

/** The name of the series in Prometheus; histograms have _bucket, _count and _sum appended. */
export function prometheusName(name: MetricName): string {
  const plain = exportedName(name).replaceAll('.', '_')
  return definitionOf(name).type === 'counter' ? `${plain}_total` : plain
}

/** The series of a metric that count failures; undefined if none does. */
export function failuresOf(name: MetricName) {
  const { failures = name.endsWith('.failures') ? 'all' : undefined, type } = definitionOf(name)
  if (!failures) return undefined
  const series = type === 'histogram' ? `${prometheusName(name)}_count` : prometheusName(name)
  const { label, values = undefined } = failures === 'all' ? {} : failures
  const isFailure = (labels: ReadonlyMap<string, string>) => {
    const value = label && labels.get(label.replaceAll('.', '_'))
    return !label || (Boolean(value) && (values?.includes(String(value)) ?? true))
  }
  return { series, isFailure }
}
