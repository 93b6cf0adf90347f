import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import {
  definitionOf,
  type MetricName,
  metricTable,
  prometheusName,
} from '../../src/platform/observability/metric-table.ts'
import { read, tracked } from '../support/repository.ts'

type Alert = { alert: string; expr: string; annotations: { runbook: string } }
const rules = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }
const alerts = rules.groups.flatMap((group) => group.rules)
const names = Object.keys(metricTable) as MetricName[]

test('each alert links to a page of this repository and to a heading on it', () => {
  for (const { alert, annotations } of alerts) {
    const [page = '', anchor] = annotations.runbook.split('#')
    assert.ok(tracked.includes(page), `${alert}: ${page}`)
    const anchors = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    if (anchor) assert.ok(anchors.includes(anchor), `${alert}: ${annotations.runbook}`)
  }
})

test('each alert fires in a rule test', () => {
  const { tests } = parse(read('deploy/prometheus/tests.yml')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[]
  }
  const fired = tests.flatMap((one) => one.alert_rule_test).filter(({ exp_alerts }) => exp_alerts.length > 0)
  assert.deepEqual(fired.map(({ alertname }) => alertname).sort(), alerts.map(({ alert }) => alert).sort())
})

test('each metric of a rule is in the table', () => {
  const series = names.flatMap((name) => {
    const plain = prometheusName(name)
    return definitionOf(name).type === 'histogram' ? [`${plain}_bucket`, `${plain}_count`, `${plain}_sum`] : [plain]
  })
  const unknown = alerts.flatMap(({ expr }) =>
    [...expr.replaceAll(/\{[^}]*\}|by \([^)]*\)/g, '').matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)]
      .map(([name]) => name)
      .filter((name) => !series.includes(name)),
  )
  assert.deepEqual(unknown, [])
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
