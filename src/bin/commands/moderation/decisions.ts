import { countAllDecisions, type DecisionDays, listAllDecisions } from '../../../cases/export/list-all-decisions.ts'
import { connect, type Database } from '../../../platform/database/database.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, printLines, readDay } from '../../command.ts'
import { showProgress } from '../../progress.ts'

const exportDecisions: Command = {
  usage: 'decisions export',
  summary: 'Prints every moderation decision, by the model and by people, as NDJSON, oldest first.',
  details: [
    'Prints one JSON object per line, from two sources. The output contains no user text. Days are in UTC.',
    '',
    'source moderation, a decision on a post: id, post_id, edit (0 is the post itself), kind, outcome, category, automated,',
    'decided_by (the name of a model, system, operator or staff:<id>), model, model_version, policy_version, scores,',
    'decided_at, overturned_at (when a rejection was reversed) and appeal (null, or its outcome and times).',
    '',
    'source desk, a person’s decision on a case: case (its key; in check:<id>, <id> is the id of the checked line),',
    'case_kind, post_id, edit, kind, verdict, category, seconds (from claim to decision), effect, decided_by (staff:<id>),',
    'decided_at and applied_at. While effect and applied_at are null, the decision can still be undone or is about to be applied.',
    '',
    'confirm, keep and dismiss do not change a post and appear only as desk lines. Any other decision with effect "done" has both',
    'lines: the moderation line has the same post_id, edit and decided_by, and its decided_at is the applied_at of the desk line.',
    '',
    'Example: decisions export --since 2026-11-01 --until 2026-11-30 > november.ndjson',
  ].join('\n'),
  options: {
    since: { type: 'string', description: 'The first day, such as 2026-11-01. Default: the first decision.' },
    until: { type: 'string', description: 'The last day, inclusive. Default: today.' },
  },
  run: async ({ flags, environment }) => {
    const days: DecisionDays = { since: readDay(flags, 'since'), until: readDay(flags, 'until') }
    const { READER_DATABASE_URL } = readSettings(environment, ['READER_DATABASE_URL'])
    await using connection = connect(READER_DATABASE_URL, {
      poolMax: 1,
      applicationName: 'broadside decisions export',
      statementTimeoutMs: 0,
      acceptsReadOnly: true,
    })
    await printLines(linesOf(connection.db, days))
  },
}

async function* linesOf(db: Database, days: DecisionDays): AsyncGenerator<string> {
  const progress = process.stderr.isTTY ? showProgress('exported') : undefined
  const total = progress ? await countAllDecisions(db, days) : 0
  let done = 0
  for await (const decision of listAllDecisions(db, days)) {
    yield `${JSON.stringify(decision)}\n`
    // Decisions made in the meantime are exported too, so the total may be too low.
    if (++done < total) progress?.(done, total)
  }
  progress?.(done, done)
}

export const commands: readonly Command[] = [exportDecisions]
