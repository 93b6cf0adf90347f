import { judgeOptions, judgeSettings } from '../../../moderation/judge/ask-judge.ts'
import { probeJudge } from '../../../moderation/judge/probe-judge.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError, printJson } from '../../command.ts'

const probeCommand: Command = {
  usage: 'judge probe',
  summary: 'Asks the judge about two fixed posts, and exits 1 when it is not fit to judge others.',
  details:
    'Prints what it answered, whether its server holds it to a schema, and which categories of the policy it has no ' +
    'word for. Needs no database. What to do with what it says is in docs/runbooks/judge.md.',
  run: async ({ environment }) => {
    const options = judgeOptions(readSettings(environment, judgeSettings))
    if (!options) throw new CommandError('There is no judge: JUDGE_URL is not set.')
    const { notCovered, ...report } = await probeJudge(options)
    printJson({ ...report, not_covered: notCovered })
    if (!report.fit) throw new CommandError('The judge is not fit to judge posts: see docs/runbooks/judge.md.')
  },
}

export const commands: readonly Command[] = [probeCommand]
