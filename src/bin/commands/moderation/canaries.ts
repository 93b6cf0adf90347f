import { createLogger } from '../../../platform/observability/logger.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { asOperator } from '../../operator.ts'

const run: Command = {
  usage: 'canaries run',
  summary: 'Moderates texts that must never be published, and exits with code 1 if one would be published.',
  details:
    'The worker does the same once a day. The result is stored: a run that passes clears the alarm from an earlier run. ' +
    'Prints judged, not_judged and published (the names of the texts that would be published).',
  run: async ({ environment }) => {
    // Imported here so that `--help` does not load the moderation stages.
    const { runCanaries } = await import('../../../moderation/canaries/run-canaries.ts')
    const { stageOptions, stageSettings } = await import('../../../moderation/pipeline/judge-in-stages.ts')
    const model = stageOptions(readSettings(environment, stageSettings))
    const logger = createLogger('silent', 'canaries')
    const { judged, notJudged, published } = await asOperator(environment, (db, at) =>
      runCanaries({ db, logger, model, at }),
    )
    printJson({ judged, not_judged: notJudged, published })
    if (published.length > 0)
      throw new CommandError(
        'Moderation would publish canary posts that break the policy. See docs/runbooks/moderation.md.',
      )
    if (notJudged > 0) throw new CommandError('The model did not respond for some texts.')
  },
}

export const commands: readonly Command[] = [run]
