import { parse } from 'yaml'
import {
  definitionOf,
  type MetricName,
  metricTable,
  prometheusName,
} from '../../src/platform/observability/metric-table.ts'
import { read } from './repository.ts'

type Rule = {
  alert?: string
  record?: string
  labels: Record<string, string>
  expr: string
  annotations?: { runbook: string }
}

export const ruleFiles = ['deploy/prometheus/alerts.yml', 'deploy/prometheus/slo.yml']
export const ruleTestFiles = ['tests.yml', 'slo-tests.yml', 'slo-slow-tests.yml'].map(
  (name) => `deploy/prometheus/${name}`,
)

export const rules = ruleFiles.flatMap((file) =>
  (parse(read(file)) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules),
)

/** Everything that a query may name: the series of the table, the recorded ones, and those of Prometheus itself. */
export const knownSeries = new Set([
  ...(Object.keys(metricTable) as MetricName[]).flatMap((name) => {
    const plain = prometheusName(name)
    return definitionOf(name).type === 'histogram' ? [`${plain}_bucket`, `${plain}_count`, `${plain}_sum`] : [plain]
  }),
  ...rules.flatMap(({ record }) => (record ? [record] : [])),
  ...['up', 'target_info', 'ALERTS'],
])

const words = /^(?:and|or|unless|by|without|on|ignoring|group_left|group_right|bool|offset|inf|nan)$/i

/** The series that a query names. */
export function seriesIn(query: string): string[] {
  const bare = query
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
  return [...bare.matchAll(/(?<![\w:.])[a-z_:][\w:]*(?!\w)(?!\s*\()/gi)]
    .map(([name]) => name)
    .filter((name) => !words.test(name))
}
