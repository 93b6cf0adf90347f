import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { z } from 'zod'

export type Command = {
  /** The words after `npm run broadside --`, with their parameters: `credit <account_id> <micros>`. */
  usage: string
  summary: string
  /** Additional text for --help: what the command changes and prints. */
  details?: string
  options?: ParseArgsOptionsConfig & Record<string, { description: string }>
  /** The exit code if the arguments are wrong; 1 by default. */
  usageExitCode?: number
  run: (input: CommandInput) => Promise<void>
}

export type CommandInput = {
  values: Record<string, string | undefined>
  flags: Record<string, string | boolean | undefined>
  environment: NodeJS.ProcessEnv
}

/** An expected error, such as wrong usage. Only its message is printed, without a stack trace. */
export class CommandError extends Error {}
/** The arguments are wrong. */
export class UsageError extends CommandError {}

export const commandWords = ({ usage }: Command): string[] => usage.split(' ').filter((word) => !/^[<[]/.test(word))
/** `<required>` and `[optional]`. */
const placeholdersOf = ({ usage }: Command): string[] => usage.split(' ').filter((word) => /^[<[]/.test(word))

/** Parses the arguments that follow the words of a command. */
export function readCommandArguments(command: Command, args: readonly string[]): Omit<CommandInput, 'environment'> {
  const placeholders = placeholdersOf(command)
  const { values: flags, positionals } = parseOrExplain(command, args)
  const needed = placeholders.filter((word) => word.startsWith('<')).length
  if (positionals.length < needed || positionals.length > placeholders.length)
    throw new UsageError(`Usage: npm run broadside -- ${command.usage}${optionsUsage(command)}`)
  const values = Object.fromEntries(placeholders.map((name, index) => [name.slice(1, -1), positionals[index]]))
  return { values, flags: flags as CommandInput['flags'] }
}

function parseOrExplain(command: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: command.options ?? {}, allowPositionals: true })
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message}\nTry: npm run broadside -- ${commandWords(command).join(' ')} --help`,
    )
  }
}

export function helpFor(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, { type, description }]) => {
    const flag = type === 'string' ? `--${name} <text>` : `--${name}`
    return `  ${flag.padEnd(22)} ${description}`
  })
  return [
    `Usage: npm run broadside -- ${command.usage}${optionsUsage(command)}`,
    '',
    command.summary,
    ...(command.details ? ['', command.details] : []),
    ...(options.length > 0 ? ['', 'Options:', ...options] : []),
  ].join('\n')
}

const optionsUsage = ({ options }: Command) => (options && Object.keys(options).length > 0 ? ' [options]' : '')

/** The value of a required option. */
export function required(flags: CommandInput['flags'], name: string): string {
  const value = flags[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new CommandError(`--${name} is required: it is recorded in the audit log.`)
}

/** Prints JSON on one line, so that a program can find it after npm's output. */
export const printJson = (value: unknown) => console.log(JSON.stringify(value))

/** Prints lines, or writes them to a new file that only the current user can read. */
export async function printLines(lines: AsyncIterable<string>, file?: string): Promise<void> {
  if (file !== undefined) return pipeline(lines, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  await pipeline(lines, process.stdout, { end: false }).catch(unlessNobodyReads)
}

/** Ignores a closed pipe, for example after `| head`. */
function unlessNobodyReads(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') throw error
}

/** The UTC day given by an option; undefined if it is omitted. */
export function readDay(flags: CommandInput['flags'], name: string): string | undefined {
  const given = flags[name]
  if (given === undefined) return undefined
  const day = z.iso.date().safeParse(given)
  if (!day.success) throw new CommandError(`--${name} must be a day, such as 2026-11-01.`)
  return day.data
}
