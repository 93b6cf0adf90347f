import { countLabelledPosts, listLabels } from '../../../cases/export/list-labels.ts'
import { connect, type Database } from '../../../platform/database/database.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import type { Sites } from '../../../posts/sites.ts'
import { type Command, CommandError, printLines, readDay } from '../../command.ts'
import { showProgress } from '../../progress.ts'
import { sitesFromSettings } from '../../sites.ts'

const exportLabels: Command = {
  usage: 'labels export',
  summary: 'Prints what people decided about posts, with the texts, as NDJSON to train and to measure the model with.',
  details: [
    'These are texts of users, also such as were never published. Keep the file where only who trains can read it, give it',
    'to nobody, and delete it when the training is over, and at the latest after 30 days: a post that its author deletes',
    'must not live on in it. docs/runbooks/moderation.md says how.',
    '',
    'One JSON object a line: id and edit (the version of the post; 0 is as it was submitted), kind, text (the title, a blank',
    'line and the text), category (what it breaks; when it breaks nothing, what it was suspected of, or null), violating,',
    'source (review, appeal, report, audit or check), policy_version, decided_at and weight. Each version is there once, with',
    'the last word of a person, at the desk or by the operator’s commands; who wrote it and who decided is not.',
    '',
    'Example: labels export --since 2026-11-01 --out labels.ndjson',
  ].join('\n'),
  options: {
    since: { type: 'string', description: 'Only what was decided last on this day or later, as 2026-11-01.' },
    out: { type: 'string', description: 'A file that does not exist yet; only you can read it.' },
  },
  run: async ({ flags, environment }) => {
    const since = readDay(flags, 'since')
    const { READER_DATABASE_URL, SITES } = readSettings(environment, ['READER_DATABASE_URL', 'SITES'])
    await using connection = connect(READER_DATABASE_URL, {
      poolMax: 1,
      applicationName: 'broadside labels export',
      statementTimeoutMs: 0,
    })
    const file = typeof flags['out'] === 'string' ? flags['out'] : undefined
    await printLines(linesOf(connection.db, sitesFromSettings(SITES), since), file).catch(unlessThere)
  },
}

async function* linesOf(db: Database, sites: Sites, since: string | undefined): AsyncGenerator<string> {
  const progress = showProgress('exported')
  const total = await countLabelledPosts(db)
  let done = 0
  for await (const label of listLabels(db, sites, since === undefined ? undefined : new Date(since))) {
    yield `${JSON.stringify(label)}\n`
    // Some of the posts have no text any more, and some have more than one version.
    if (++done < total) progress(done, total)
  }
  progress(done, done)
}

function unlessThere(error: NodeJS.ErrnoException) {
  if (error.code === 'EEXIST') throw new CommandError('--out names a file that exists: labels are not written over it.')
  throw error
}

export const commands: readonly Command[] = [exportLabels]
