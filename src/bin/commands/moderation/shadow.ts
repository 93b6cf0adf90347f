import { type Command, CommandError, printJson } from '../../command.ts'

const usualDays = 7

const shadow: Command = {
  usage: 'model shadow',
  summary: 'Shows where a candidate model would have decided differently from the live model.',
  details: [
    'A candidate runs while MODEL_SHADOW_DIR is set for the model: it scores every post and decides none. Prints one',
    'JSON object per candidate: version, compared, differ, and differences, most frequent first, each with the result of the',
    'live model (live), the result of the candidate (candidate), category, count and the newest posts. It contains no',
    'text: look the posts up at the desk. Both results use the current thresholds.',
  ].join('\n'),
  options: { days: { type: 'string', description: `Number of days to compare, up to now. Default: ${usualDays}.` } },
  run: async ({ flags, environment }) => {
    const days = Number(flags['days'] ?? usualDays)
    if (!Number.isInteger(days) || days < 1 || days > 365)
      throw new CommandError('--days must be a number from 1 to 365.')
    // Imported here because starting the model also loads this file.
    const { asOperator } = await import('../../operator.ts')
    const { compareShadow } = await import('../../../moderation/statistics/compare-shadow.ts')
    const compared = await asOperator(environment, (db, at) =>
      compareShadow(db, new Date(at.getTime() - days * 86_400_000)),
    )
    if (compared.length === 0) throw new CommandError(`No candidate model ran in the last ${days} days.`)
    for (const comparison of compared) printJson(comparison)
  },
}

export const commands: readonly Command[] = [shadow]
