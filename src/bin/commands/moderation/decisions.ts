import { countAllDecisions, type DecisionDays, listAllDecisions } from '../../../cases/export/list-all-decisions.ts'
import { connect, type Database } from '../../../platform/database/database.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, printLines, readDay } from '../../command.ts'
import { showProgress } from '../../progress.ts'

const exportDecisions: Command = {
  usage: 'decisions export',
  summary: 'Prints every decision of moderation, by the model and by people, as NDJSON, the oldest first.',
  details: [
    'One JSON object a line, of two sources. No text of a user is in it. Days are in UTC.',
    '',
    'source moderation, a decision on a post: id, post_id, edit (0 is the post itself), kind, outcome, category, automated,',
    'decided_by (the name of a model, system, operator or staff:<id>), model, model_version, policy_version, scores,',
    'decided_at, overturned_at (when a refusal was taken back) and appeal (null, or its outcome and its times).',
    '',
    'source desk, what a person answered to a case: case (its key; check:<id> names the id of the line that was checked),',
    'case_kind, post_id, edit, kind, verdict, category, seconds (from claim to decision), effect, decided_by (staff:<id>),',
    'decided_at and applied_at. While effect and applied_at are null, it can still be undone or is about to be carried out.',
    '',
    'confirm, keep and dismiss change no post, and are lines of the desk only. Any other answer with the effect done is both:',
    'its line of moderation has the same post_id, edit and decided_by, and its decided_at is the applied_at of the desk.',
    '',
    'Example: decisions export --since 2026-11-01 --until 2026-11-30 > november.ndjson',
  ].join('\n'),
  options: {
    since: { type: 'string', description: 'The first day, as 2026-11-01; all from the beginning when left out.' },
    until: { type: 'string', description: 'The last day, which is in it; all up to now when left out.' },
  },
  run: async ({ flags, environment }) => {
    const days: DecisionDays = { since: readDay(flags, 'since'), until: readDay(flags, 'until') }
    const { READER_DATABASE_URL } = readSettings(environment, ['READER_DATABASE_URL'])
    await using connection = connect(READER_DATABASE_URL, {
      poolMax: 1,
      applicationName: 'broadside decisions export',
      statementTimeoutMs: 0,
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
    // What is decided meanwhile is exported too, and no reason to end the bar early.
    if (++done < total) progress?.(done, total)
  }
  progress?.(done, done)
}

export const commands: readonly Command[] = [exportDecisions]
