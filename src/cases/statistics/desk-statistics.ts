import { startOfUtcDay } from '../../contract/time/utc-day.ts'
import { readModerationStatistics } from '../../moderation/statistics/count-span.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Counts } from '../../policy/moderation-counts.ts'
import type { CaseKind } from '../case-kinds.ts'
import { type CaseCount, countCases } from '../queue.ts'
import {
  type AppealsOf,
  type AuditCount,
  type CategoryCounts,
  countAppeals,
  countAudits,
  countByCategory,
  countOpinions,
  countPunished,
  type Leaning,
  type Punished,
} from './count-judgements.ts'
import { countDecided, countUndone, type DecidedCount, type DeskPace, readPace } from './count-work.ts'

const dayMs = 86_400_000

/** How many cases of each kind statistics and metrics count, so that they stay cheap. */
export const casesCounted = 10_000

/** Statistics for leads. They must never be per person: reviewers who are ranked by speed read less carefully. */
export type DeskStatistics = {
  /** One entry per kind, even if no case of it is waiting. */
  queue: readonly CaseCount[]
  /** One entry per day of the span, including today, oldest first. */
  days: readonly DayOfWork[]
  /** Decisions on all sites, by anyone. */
  totals: Counts
  checks: Punished & { confirmed: number; overturned: number }
  audits: readonly AuditCount[]
  leanings: readonly Leaning[]
  appeals: readonly AppealsOf[]
  categories: ReadonlyMap<string, CategoryCounts>
  pace: DeskPace
  undone: number
}

export type DayOfWork = {
  day: string
  /** At the desk, by kind of case. */
  decided: Record<CaseKind, number>
  /** On all sites, by anyone. */
  counts: Counts
}

/** Statistics for the last `days` days, including today. */
export async function readDeskStatistics(
  db: Database,
  { days, at }: { days: number; at: Date },
): Promise<DeskStatistics> {
  const to = new Date(startOfUtcDay(at).getTime() + dayMs)
  const span = { from: new Date(to.getTime() - days * dayMs), to }
  const { days: series, totals } = await readModerationStatistics(db, { days, at })
  const decided = await countDecided(db, span)
  const checked = decided.filter(({ kind }) => kind === 'check')
  return {
    queue: await countCases(db, { at, countTo: casesCounted }),
    days: series.map(({ day, counts }) => ({ day, counts, decided: byKind(decided.filter((one) => one.day === day)) })),
    totals,
    checks: {
      ...(await countPunished(db, span)),
      confirmed: sum(checked.filter(({ verdict }) => verdict === 'confirm')),
      overturned: sum(checked.filter(({ verdict }) => verdict === 'overturn')),
    },
    audits: await countAudits(db, span),
    leanings: await countOpinions(db, span),
    appeals: await countAppeals(db, span),
    categories: await countByCategory(db, span),
    pace: await readPace(db, span),
    undone: await countUndone(db, span),
  }
}

function byKind(decided: readonly DecidedCount[]): Record<CaseKind, number> {
  const of = (kind: CaseKind) => sum(decided.filter((one) => one.kind === kind))
  return { review: of('review'), report: of('report'), appeal: of('appeal'), check: of('check'), audit: of('audit') }
}

const sum = (counted: readonly DecidedCount[]) => counted.reduce((total, { count }) => total + count, 0)
