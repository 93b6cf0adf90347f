import { systemClock } from '../../../platform/clock.ts'
import { checkNames, recordCheck } from '../../../platform/observability/checks.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError } from '../../command.ts'

const recordCheckCommand: Command = {
  usage: 'check record <name>',
  summary: 'Records that a backup or another check ended, so that alerts know about it.',
  details:
    `The name is one of: ${checkNames.join(', ')}. Run it after your backup. ` +
    'The result is written to CHECKS_DIRECTORY, and the workers export it as checks_last_timestamp_seconds and checks_last_ok.',
  options: { failed: { type: 'boolean', description: 'Record a failure instead of a success.' } },
  run: async ({ values, flags, environment }) => {
    const name = checkNames.find((known) => known === values['name'])
    if (!name) throw new CommandError(`Unknown check. Use one of: ${checkNames.join(', ')}.`)
    const { CHECKS_DIRECTORY: directory } = readSettings(environment, ['CHECKS_DIRECTORY'])
    if (directory === undefined) throw new CommandError('Set CHECKS_DIRECTORY to the directory that the workers read.')
    await recordCheck(directory, name, { ok: !flags['failed'], at: systemClock.now() })
    console.log(`Recorded: ${name} ${flags['failed'] ? 'failed' : 'succeeded'}.`)
  },
}

export const commands: readonly Command[] = [recordCheckCommand]
