import { createLogger } from '../../../platform/observability/logger.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { asOperator } from '../../operator.ts'

const run: Command = {
  usage: 'canaries run',
  summary: 'Has the texts judged that must never be published, now, and exits 1 when one would have been.',
  details:
    'The worker does the same once a day. The run is kept: an alarm of an earlier one ends when this one goes well. ' +
    'Prints judged, not_judged and published, the names of those that would have been.',
  run: async ({ environment }) => {
    // Loaded here: the help of all commands need not read the stages.
    const { runCanaries } = await import('../../../moderation/canaries/run-canaries.ts')
    const { stageOptions, stageSettings } = await import('../../../moderation/pipeline/judge-in-stages.ts')
    const model = stageOptions(readSettings(environment, stageSettings))
    const logger = createLogger('silent', 'canaries')
    const { judged, notJudged, published } = await asOperator(environment, (db, at) =>
      runCanaries({ db, logger, model, at }),
    )
    printJson({ judged, not_judged: notJudged, published })
    if (published.length > 0)
      throw new CommandError('What must never be published would be: docs/runbooks/moderation.md')
    if (notJudged > 0) throw new CommandError('The model gave no answer to some of them.')
  },
}

export const commands: readonly Command[] = [run]
