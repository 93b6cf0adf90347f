import { problem, type RunCheck } from '../check.ts'
import { withAnyRole } from '../databases.ts'

/** A log that has stopped loses nothing, but new posts cannot be proven until an operator has looked at it. */
export const checkLog: RunCheck = async (context) => {
  const { rows } = await withAnyRole(context, (client) =>
    client.query<{ origin: string; reason: string | null }>('select origin, stopped_reason as reason from log_head'),
  )
  const [log] = rows
  if (!log) return { summary: 'The first worker that starts opens the transparency log.', findings: [] }
  const cause = `The transparency log has stopped: ${log.reason}.`
  const fix = 'Change nothing and follow docs/runbooks/transparency-log.md.'
  return { summary: `The log ${log.origin} grows.`, findings: log.reason === null ? [] : [problem(cause, fix)] }
}
