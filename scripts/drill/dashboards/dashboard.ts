import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir } from '../../../tooling/services/state.ts'

type Threshold = { color: string; value: number | null }

/** The part of Grafana's format that the dashboards use. */
export type Panel = {
  type: 'row' | 'timeseries' | 'stat' | 'table'
  title: string
  gridPos: { h: number; w: number; x: number; y: number }
  fieldConfig?: {
    defaults: {
      unit: string
      min?: number
      max?: number
      decimals?: number
      thresholds?: { steps: Threshold[] }
      custom?: { stacking?: object }
    }
  }
  targets?: { expr: string; legendFormat: string }[]
}
export type Dashboard = { uid: string; title: string; description: string; panels: Panel[] }

export function readDashboards(): Dashboard[] {
  const folder = join(repoDir, 'deploy/grafana/dashboards')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
}

/** `{{label}}` in a legend stands for the value of a label. */
export const legendOf = (format: string, labels: Record<string, string>) =>
  format.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? '').trim()
