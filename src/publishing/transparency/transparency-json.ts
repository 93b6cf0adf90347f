import { policy } from '../../policy/policy.ts'
import { scoreboard } from '../../policy/scoreboard.ts'
import type { SiteView } from '../views.ts'
import type { CountedDay, TransparencyView } from './read-days.ts'

/** The counts in machine-readable form. Each day has every name, including those with zero. */
export function transparencyJson({ kind, baseUrl }: SiteView, view: TransparencyView): string {
  const { days, firstDay, totals, audit } = view
  const document = {
    kind: kind.name,
    documentation: `${baseUrl}/transparency/#names`,
    policy_version: policy.version,
    time_zone: 'UTC',
    first_day: firstDay,
    last_day: days.at(-1)?.day ?? null,
    audit_log: audit,
    moderation_figures: scoreboard,
    totals: { last_30_days: totals.last30, last_90_days: totals.last90, all_time: totals.all },
    days: days.map(dayOf),
  }
  return `${JSON.stringify(document)}\n`
}

const dayOf = ({ day, counts, ...hours }: CountedDay) => ({ day, ...counts, ...hours })
