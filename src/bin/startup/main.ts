import { SchemaError } from '../../platform/database/migrations.ts'
import { SettingsError } from '../../platform/settings/settings.ts'
import { type Command, CommandError, commandWords, helpFor, readCommandArguments, UsageError } from '../command.ts'
import { loadCommands } from '../commands/index.ts'
import { environmentOf } from '../environment.ts'
import { databaseFault } from './database-fault.ts'

// The pool starts with its first use. Syncs of page files wait for the disk together, not four at a time.
process.env['UV_THREADPOOL_SIZE'] ??= '32'

const args = process.argv.slice(2)
const asksForHelp = args.includes('--help') || args.includes('-h')

async function main() {
  const command = findCommand(await loadCommands(args[0]), args)
  try {
    if (!command) await listCommands()
    else if (asksForHelp) console.log(helpFor(command))
    else {
      const input = readCommandArguments(command, args.slice(commandWords(command).length))
      await command.run({ ...input, environment: environmentOf(process.env) })
    }
  } catch (error) {
    explain(error)
    process.exitCode = (error instanceof UsageError && command?.usageExitCode) || 1
  }
}

/** The longest command that matches the start of the arguments. */
function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands
    .filter((candidate) => commandWords(candidate).every((word, index) => words[index] === word))
    .sort((one, other) => commandWords(other).length - commandWords(one).length)[0]
}

async function listCommands() {
  const all = await loadCommands()
  const width = Math.max(...all.map(({ usage }) => usage.length))
  console.log('Usage: npm run broadside -- <subcommand> [--help]\n')
  for (const { usage, summary } of all) console.log(`  ${usage.padEnd(width)}  ${summary}`)
  if (args.length > 0 && !asksForHelp) {
    console.error(`\nUnknown subcommand '${args.slice(0, 2).join(' ')}'.`)
    process.exitCode = 2
  }
}

function explain(error: unknown) {
  const isExpected = error instanceof CommandError || error instanceof SettingsError || error instanceof SchemaError
  if (isExpected) return console.error(error.message)
  const fault = databaseFault(error, environmentOf(process.env)['BROADSIDE_ENVIRONMENT'])
  if (fault) return console.error(fault.message)
  console.error(error)
}

void main()
