import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir } from '../../../tooling/services/state.ts'
import type { PrometheusClient } from './prometheus.ts'

type Panel = { title: string; targets?: { expr: string }[] }
type Dashboard = { title: string; panels: Panel[] }

/** The panels of deploy/grafana whose queries find nothing in this Prometheus. */
export async function findEmptyPanels(client: PrometheusClient): Promise<string[]> {
  const empty: string[] = []
  for (const file of globSync(join(repoDir, 'deploy/grafana/dashboards/*.json'))) {
    const { title, panels } = JSON.parse(readFileSync(file, 'utf8')) as Dashboard
    for (const panel of panels) {
      const queries = (panel.targets ?? []).map(({ expr }) => expr.replaceAll('$__rate_interval', '20s'))
      const found = await Promise.all(queries.map((query) => client.now(query)))
      if (queries.length > 0 && found.flat().length === 0) empty.push(`${title}: ${panel.title}`)
    }
  }
  return empty
}
