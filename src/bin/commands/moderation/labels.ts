import { countLabelledPosts, listLabels } from '../../../cases/export/list-labels.ts'
import { connect, type Database } from '../../../platform/database/database.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import type { Sites } from '../../../posts/sites.ts'
import { type Command, CommandError, printLines, readDay } from '../../command.ts'
import { showProgress } from '../../progress.ts'
import { sitesFromSettings } from '../../sites.ts'

const exportLabels: Command = {
  usage: 'labels export',
  summary: 'Exports human decisions with the texts of the posts, as NDJSON for training and evaluation.',
  details: [
    'The file contains user texts, including unpublished ones. Store it where only those who train the model can read it.',
    'Do not share it. Delete it after training, and within 30 days at the latest: a post that its author deletes',
    'must not remain in the file. See docs/runbooks/moderation.md.',
    '',
    'Each line is a JSON object: id and edit (the version of the post; 0 is the original), kind, text (the title, a blank',
    'line and the text), category (the one it violates; if none, the suspected one or null), violating,',
    'source (review, appeal, report, audit or check), policy_version, decided_at and weight. Each version appears once, with',
    'the latest decision by a person, made at the desk or with an operator command. Authors and reviewers are not included.',
    '',
    'Example: labels export --since 2026-11-01 --out labels.ndjson',
  ].join('\n'),
  options: {
    since: { type: 'string', description: 'Only posts last decided on or after this day, such as 2026-11-01.' },
    out: { type: 'string', description: 'The file to create. Only you can read it.' },
  },
  run: async ({ flags, environment }) => {
    const since = readDay(flags, 'since')
    const { READER_DATABASE_URL, SITES } = readSettings(environment, ['READER_DATABASE_URL', 'SITES'])
    await using connection = connect(READER_DATABASE_URL, {
      poolMax: 1,
      applicationName: 'broadside labels export',
      statementTimeoutMs: 0,
      acceptsReadOnly: true,
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
    // The total is approximate: some posts no longer have a text, and some have several versions.
    if (++done < total) progress(done, total)
  }
  progress(done, done)
}

function unlessThere(error: NodeJS.ErrnoException) {
  if (error.code === 'EEXIST') throw new CommandError('The file in --out already exists. Choose another name.')
  throw error
}

export const commands: readonly Command[] = [exportLabels]
