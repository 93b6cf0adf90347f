import { type Command, CommandError, printJson } from '../../command.ts'

const usualDays = 7

const shadow: Command = {
  usage: 'model shadow',
  summary: 'Says where a candidate that ran beside the live model would have decided otherwise.',
  details: [
    'A candidate runs while the model has the setting MODEL_SHADOW_DIR: it scores every post and decides none. Prints one',
    'JSON object a candidate: version, compared, differ, and differences, the most frequent first, each with what the live',
    'model brings (live), what the candidate would have brought (candidate), category, count and the newest posts. No text',
    'is in it: look the posts up at the desk. Both are decided by the thresholds of today.',
  ].join('\n'),
  options: { days: { type: 'string', description: `Of so many days up to now; ${usualDays} when left out.` } },
  run: async ({ flags, environment }) => {
    const days = Number(flags['days'] ?? usualDays)
    if (!Number.isInteger(days) || days < 1 || days > 365) throw new CommandError('--days is a number from 1 to 365.')
    // Loaded here: who starts the model loads this file, too.
    const { asOperator } = await import('../../operator.ts')
    const { compareShadow } = await import('../../../moderation/statistics/compare-shadow.ts')
    const compared = await asOperator(environment, (db, at) =>
      compareShadow(db, new Date(at.getTime() - days * 86_400_000)),
    )
    if (compared.length === 0) throw new CommandError(`No candidate ran beside the model in the last ${days} days.`)
    for (const comparison of compared) printJson(comparison)
  },
}

export const commands: readonly Command[] = [shadow]
