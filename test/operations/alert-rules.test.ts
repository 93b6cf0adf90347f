import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { parse } from 'yaml'
import {
  definitionOf,
  failuresOf,
  type MetricName,
  metricTable,
  prometheusName,
} from '../../src/platform/observability/metric-table.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { knownSeries, ruleFiles, rules, ruleTestFiles, seriesIn } from '../support/prometheus.ts'
import { read, tracked } from '../support/repository.ts'

const alerts = rules.flatMap(({ alert, annotations }) =>
  alert ? [{ alert, runbook: annotations?.runbook ?? '' }] : [],
)
const names = Object.keys(metricTable) as MetricName[]

const rulesOf = (record: string) => rules.filter((rule) => rule.record === record)

const promtool = (...args: string[]) => {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { cwd: repoDir, encoding: 'utf8' })
  assert.equal(error, undefined, 'promtool was not found. Run scripts/setup.')
  assert.equal(status, 0, `${stdout}${stderr}`)
}

test('promtool accepts the rules and the example configuration', () => {
  promtool('check', 'rules', ...ruleFiles)
  promtool('check', 'config', 'deploy/prometheus/prometheus.yml')
})

test('the rules do in promtool what their tests say', () => promtool('test', 'rules', ...ruleTestFiles))

test('each alert links to a page of this repository and to a heading on it', () => {
  for (const { alert, runbook } of alerts) {
    const [page = '', anchor] = runbook.split('#')
    assert.ok(tracked.includes(page), `${alert}: ${page}`)
    const anchors = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    if (anchor) assert.ok(anchors.includes(anchor), `${alert}: ${runbook}`)
  }
})

test('each alert fires in a rule test', () => {
  type RuleTest = { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }
  const tests = ruleTestFiles.flatMap((file) => (parse(read(file)) as { tests: RuleTest[] }).tests)
  const fired = tests.flatMap((one) => one.alert_rule_test).filter(({ exp_alerts }) => exp_alerts.length > 0)
  assert.deepEqual(
    [...new Set(fired.map(({ alertname }) => alertname))].sort(),
    alerts.map(({ alert }) => alert).sort(),
  )
})

test('each metric of a rule is in the table or recorded by a rule', () => {
  const unknown = rules.flatMap(({ expr }) => seriesIn(expr).filter((name) => !knownSeries.has(name)))
  assert.deepEqual(unknown, [])
})

/** Only some installations have them, or they are read together with one that is watched. */
const mayBeMissing = [
  'database_replica_usable',
  'database_replication_lag_seconds',
  'log_size',
  'log_waiting',
  'log_waiting_oldest',
  'nodejs_eventloop_delay_p99_seconds',
  'pages_disk_free_bytes',
  'pages_disk_size_bytes',
]

test('an alert fires if a gauge vanishes that another alert needs', () => {
  const text = rules.map(({ expr }) => expr).join('\n')
  const gauges = names.filter((name) => definitionOf(name).type === 'gauge').map(prometheusName)
  const needed = gauges.filter((name) => rules.some(({ alert, expr }) => alert && seriesIn(expr).includes(name)))
  const unwatched = needed.filter((name) => !new RegExp(`absent\\(${name}\\b`).test(text))
  assert.deepEqual(unwatched.sort(), mayBeMissing)
})

test('docs/slo.md names the objectives that the rules record', () => {
  const documented = [...read('docs/slo.md').matchAll(/^\| `([\w-]+)` \| ([\d.]+)% of/gm)]
  const recorded = rulesOf('slo:error_budget:ratio').map(({ labels, expr }) => [
    labels.slo,
    Number((100 * (1 - Number(/[\d.]+/.exec(expr)?.[0]))).toFixed(4)),
  ])
  assert.deepEqual(
    documented.map(([, name, percent]) => [name, Number(percent)]),
    recorded,
  )
})

test('docs/monitoring.md has the table of metrics', () => {
  const rows = names.map((name) => {
    const { type, labels = [], exportedBy, says } = definitionOf(name)
    const shown = labels.map((label) => `\`${label.replaceAll('.', '_')}\``).join(', ')
    return `| \`${prometheusName(name)}\` | ${type} | ${shown} | ${exportedBy.join(', ')} | ${says} |`
  })
  const documented = read('docs/monitoring.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  assert.deepEqual(documented, rows)
})

test('metrics are created only from the table', () => {
  const makes = /\.create(?:Observable)?(?:Counter|UpDownCounter|Gauge|Histogram)\(/
  const makers = tracked.filter((path) => /^(?:src|model\/server)\/.*\.ts$/.test(path) && makes.test(read(path)))
  assert.deepEqual(makers, ['src/platform/observability/instruments.ts'])
})

/** Counters and histograms of outcomes that count no failure of ours. */
const noFailures: Partial<Record<MetricName, string>> = {
  'database.replica.reads': 'The primary answers instead; ReplicaUnused watches database_replica_usable.',
  'db.client.operation.duration': 'A retried transaction is no failure; the request or job that fails is counted.',
  'messaging.process.duration': 'jobs.failures counts the same runs.',
  'moderation.decisions': 'Outcomes of posts.',
  'nodejs.eventloop.time': 'A duration.',
  'pages.files': 'Work that was done.',
  'process.cpu.time': 'A duration.',
  'retention.purged': 'Work that was done.',
  'stream.disconnects': 'Readers that are slow or stay too long.',
  'stream.events': 'Work that was done.',
  'webhooks.attempts': 'Endpoints of owners fail as they like, and owners see it; DeliveriesLate watches our part.',
}

test('each counter of failures has an alert, and the page of its runbook names the counter', () => {
  const isOutcome = (name: MetricName) =>
    definitionOf(name).type === 'counter' || definitionOf(name).labels?.includes('error.type')
  const uncounted = names.filter((name) => isOutcome(name) && !failuresOf(name))
  assert.deepEqual(uncounted.sort(), Object.keys(noFailures).sort())
  for (const name of names.filter((one) => failuresOf(one))) {
    const series = String(failuresOf(name)?.series)
    const watching = rules.filter(({ alert, expr }) => alert && seriesIn(expr).includes(series))
    assert.notEqual(watching.length, 0, `no alert watches ${series}`)
    for (const { annotations } of watching) {
      const [page = ''] = String(annotations?.runbook).split('#')
      const sentences = read(page).replaceAll(/^\| `\w+` \| (?:counter|histogram) .*$/gm, '')
      assert.ok(sentences.includes(prometheusName(name)), `${page} does not name ${prometheusName(name)}`)
    }
  }
})
