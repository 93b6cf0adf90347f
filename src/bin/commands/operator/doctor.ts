import { systemClock } from '../../../platform/clock.ts'
import { type Command, type CommandInput, printJson, UsageError } from '../../command.ts'
import { isFine, renderReport, reportForPrograms } from '../../doctor/report.ts'
import { runProbes } from '../../doctor/run.ts'
import { probes } from '../../doctor/table.ts'

const usualTimeoutSeconds = 5

const doctor: Command = {
  usage: 'doctor',
  summary: 'Checks the installation. For each problem, prints the cause and the command that fixes it.',
  details: [
    'It changes nothing. Run it as root, so that it can read every file and act as every user. Exits with code 0 if there',
    'is no problem, with 1 if there is one or a check could not be made, and with 2 if the arguments are wrong.',
    'See docs/runbooks/doctor.md.',
    '',
    'Checks:',
    ...probes.map(({ name, expects }) => `  ${name.padEnd(12)} ${expects}`),
  ].join('\n'),
  options: {
    only: { type: 'string', description: 'Only these checks, separated by commas: --only database,email.' },
    timeout: {
      type: 'string',
      description: `Seconds that one connection may take, ${usualTimeoutSeconds} by default. It is asked twice.`,
    },
    json: { type: 'boolean', description: 'Print one line of JSON.' },
  },
  usageExitCode: 2,
  run: async ({ environment, flags }) => {
    const results = await runProbes(chosen(flags['only']), {
      environment,
      clock: systemClock,
      timeoutSeconds: readSeconds(flags['timeout']),
    })
    if (flags['json']) printJson(reportForPrograms(results))
    else console.log(renderReport(results))
    process.exitCode = isFine(results) ? 0 : 1
    // A connection to a silent server must not keep the process alive.
    setTimeout(() => process.exit(), 500).unref()
  },
}

function chosen(only: CommandInput['flags'][string]) {
  if (only === undefined) return probes
  const names = String(only)
    .split(',')
    .map((name) => name.trim())
  const unknown = names.filter((name) => !probes.some((check) => check.name === name))
  if (unknown.length > 0)
    throw new UsageError(
      `There is no check named ${unknown.map((name) => `'${name}'`).join(', ')}. The checks are: ${probes.map(({ name }) => name).join(', ')}.`,
    )
  return probes.filter(({ name }) => names.includes(name))
}

function readSeconds(given: CommandInput['flags'][string]): number {
  const seconds = Number(given ?? usualTimeoutSeconds)
  if (seconds >= 1 && seconds <= 600) return seconds
  throw new UsageError('--timeout must be a number of seconds from 1 to 600.')
}

export const commands: readonly Command[] = [doctor]
