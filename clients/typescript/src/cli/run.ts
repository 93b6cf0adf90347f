import { exitCodeOf } from './command-table.ts'
import { contextOf } from './context.ts'
import { describeError } from './errors.ts'
import { handlers } from './handlers.ts'
import { helpText, ownVersion } from './help.ts'
import { commandWordIn, parseCommandLine } from './parse.ts'
import { openOutput } from './terminal/output.ts'

/** Runs one command, and returns the exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const environment = process.env
  const isJson = argv.includes('--json')
  const out = openOutput(process, environment, isJson)
  try {
    const invocation = parseCommandLine(argv)
    if ('version' in invocation) process.stdout.write(`broadside ${ownVersion()}\n`)
    else if ('help' in invocation) process.stdout.write(helpText(invocation.help, out))
    else {
      const { command, args, options } = invocation
      const exit = await handlers[command.name](contextOf({ args, options, out, environment }))
      return exitCodeOf(exit || 'ok')
    }
    return 0
  } catch (error) {
    const described = describeError(error, out.style)
    // A fault of this program: the stack helps to find it.
    if (!described) throw error
    // With --json, standard output has exactly one document: the result or the problem. These print one per line.
    if (['stream', 'listen'].includes(commandWordIn(argv) ?? '')) out.jsonLine(described.document)
    else out.document(described.document)
    if (isJson) return exitCodeOf(described.exit)
    for (const line of described.lines) out.note(line)
    return exitCodeOf(described.exit)
  }
}
