import { judgeOptions, judgeSettings } from '../../../moderation/judge/ask-judge.ts'
import { probeJudge } from '../../../moderation/judge/probe-judge.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError, printJson } from '../../command.ts'

const probeCommand: Command = {
  usage: 'judge probe',
  summary: 'Asks the judge about two fixed posts, and exits with code 1 if the judge is not suitable.',
  details:
    'Prints the judge’s responses, whether its server enforces a schema, and which policy categories it does not ' +
    'cover. It needs no database. docs/runbooks/judge.md explains the output.',
  run: async ({ environment }) => {
    const options = judgeOptions(readSettings(environment, judgeSettings))
    if (!options) throw new CommandError('No judge is configured: JUDGE_URL is not set.')
    const { notCovered, ...report } = await probeJudge(options)
    printJson({ ...report, not_covered: notCovered })
    if (!report.fit) throw new CommandError('The judge is not suitable for moderation. See docs/runbooks/judge.md.')
  },
}

export const commands: readonly Command[] = [probeCommand]
