import { runOperator } from '../../../../tooling/environment/processes.ts'
import type { Environment } from '../environment.ts'
import { toSeconds } from '../outcomes.ts'
import type { Shared } from './reviewer.ts'

type Decided = {
  key: string
  staff_id: string
  verdict: string
  effect: string | null
  times_decided: number
  times_undone: number
  times_applied: number
  applied_late_ms: number
}

/**
 * Checks that each case was decided and applied once, as shown to the reviewer, that the money is correct and that the
 * log is complete.
 */
export async function verifyDecisions(
  environment: Environment,
  { keys, shared }: { keys: readonly string[]; shared: Shared },
) {
  const rows = await environment.query<Decided>(`
    select case_key as key, staff_id, verdict, effect,
      (extract(epoch from applied_at - due_at) * 1000)::int as applied_late_ms,
      count(*) filter (where action = 'case.decide')::int as times_decided,
      count(*) filter (where action = 'case.undo')::int as times_undone,
      count(*) filter (where action = 'case.apply')::int as times_applied
    from desk_decisions left join audit_log on details->>'case' = case_key group by case_key`)
  const decided = new Map(rows.map((row) => [row.key, row]))
  const faults = [
    ...keys.filter((key) => !decided.has(key)).map((key) => `${key} was not decided`),
    ...rows.filter(isOdd).map((row) => `not exactly one decision: ${JSON.stringify(row)}`),
    ...[...shared.shown].flatMap(([key, shown]) => {
      const row = decided.get(key)
      const stands = row?.staff_id === shown.staffId && row.verdict === shown.verdict
      return stands ? [] : [`${key} was shown as decided but is not: ${JSON.stringify({ shown, row })}`]
    }),
    ...(await decidedTwice(environment)),
  ]
  const checks = [
    ['ledger', 'verify'],
    ['audit', 'verify'],
  ]
  for (const words of checks) {
    const { code, stderr } = await runOperator(environment.settings, ...words)
    if (code !== 0) faults.push(`${words.join(' ')} failed: ${stderr.trim()}`)
  }
  const late = rows.map(({ applied_late_ms }) => applied_late_ms)
  const figures = {
    ...{ decided: rows.length, shown_as_done: shared.shown.size },
    carried_out: rows.filter(({ effect }) => effect === 'done').length,
    carried_out_late_seconds: { most: toSeconds(Math.max(...late)) },
  }
  return { figures, faults }
}

const isOdd = ({ times_decided, times_undone, times_applied, effect }: Decided) =>
  times_decided - times_undone !== 1 || times_applied !== 1 || effect !== 'done'

/** A reviewer's decision appears once among the decisions of its post. */
async function decidedTwice({ query }: Environment): Promise<string[]> {
  const rows = await query<{ post_id: string }>(
    `select post_id from moderation_decisions where actor like 'staff:%' group by post_id, edit having count(*) > 1`,
  )
  return rows.map(({ post_id }) => `${post_id} was decided twice`)
}
