import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { repoDir } from '../../../tooling/services/state.ts'

type Rule = { alert?: string; expr: string; for?: string }
type Rules = { groups: { interval?: string; rules: Rule[] }[] }

/** What a window of hours or days becomes, so that a drill takes minutes. Thresholds stay as they are. */
const windows: Record<string, string> = {
  '5m': '20s',
  '10m': '30s',
  '15m': '30s',
  '30m': '30s',
  '45m': '30s',
  '1h': '40s',
  '6h': '50s',
  '3d': '60s',
  '30d': '80s',
}
const shortFor = '2s'

export const ruleFiles = ['alerts.yml', 'slo.yml'] as const

/** The rules of deploy/prometheus with short windows and times, and the names of their alerts. */
export function readShortRules() {
  const alerts: string[] = []
  const files = ruleFiles.map((name) => {
    const { groups } = parse(readFileSync(join(repoDir, 'deploy/prometheus', name), 'utf8')) as Rules
    const short = groups.map((group) => ({
      ...group,
      ...(group.interval && { interval: shortFor }),
      rules: group.rules.map((rule) => {
        if (rule.alert) alerts.push(rule.alert)
        return { ...rule, expr: shorten(rule.expr), ...(rule.for && rule.for !== '0m' && { for: shortFor }) }
      }),
    }))
    return { name, text: stringify({ groups: short }) }
  })
  return { files, alerts }
}

const shorten = (expr: string) =>
  expr.replaceAll(/\[(\w+)(:1m)?\]/g, (_, window: string, step?: string) => {
    const short = windows[window]
    if (!short) throw new Error(`No short form of the window ${window}: add one to short-rules.ts`)
    return step ? `[${short}:2s]` : `[${short}]`
  })
