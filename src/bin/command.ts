import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { z } from 'zod'

export type Command = {
  /** The words after `npm run broadside --`, with what they take: `credit <account_id> <micros>`. */
  usage: string
  summary: string
  /** More for --help: what it changes, what it prints. */
  details?: string
  options?: ParseArgsOptionsConfig & Record<string, { description: string }>
  run: (input: CommandInput) => Promise<void>
}

export type CommandInput = {
  values: Record<string, string | undefined>
  flags: Record<string, string | boolean | undefined>
  environment: NodeJS.ProcessEnv
}

/** A mistake in how the command was called, or something it cannot do: said in one line, without a stack. */
export class CommandError extends Error {}

export const commandWords = ({ usage }: Command): string[] => usage.split(' ').filter((word) => !/^[<[]/.test(word))
/** `<must be given>` and `[may be given]`. */
const placeholdersOf = ({ usage }: Command): string[] => usage.split(' ').filter((word) => /^[<[]/.test(word))

/** Reads the arguments that follow a command's own words. */
export function readCommandArguments(command: Command, args: readonly string[]): Omit<CommandInput, 'environment'> {
  const placeholders = placeholdersOf(command)
  const { values: flags, positionals } = parseOrExplain(command, args)
  const needed = placeholders.filter((word) => word.startsWith('<')).length
  if (positionals.length < needed || positionals.length > placeholders.length)
    throw new CommandError(`Usage: npm run broadside -- ${command.usage}${optionsUsage(command)}`)
  const values = Object.fromEntries(placeholders.map((name, index) => [name.slice(1, -1), positionals[index]]))
  return { values, flags: flags as CommandInput['flags'] }
}

function parseOrExplain(command: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: command.options ?? {}, allowPositionals: true })
  } catch (error) {
    throw new CommandError(
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

/** The value of an option that must be given. */
export function required(flags: CommandInput['flags'], name: string): string {
  const value = flags[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new CommandError(`--${name} must be given: it is kept in the audit log.`)
}

/** On one line, so that a program finds it whatever npm prints before it. */
export const printJson = (value: unknown) => console.log(JSON.stringify(value))

/** Prints lines, or writes them to a new file that only who runs the command can read. */
export async function printLines(lines: AsyncIterable<string>, file?: string): Promise<void> {
  if (file !== undefined) return pipeline(lines, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  await pipeline(lines, process.stdout, { end: false }).catch(unlessNobodyReads)
}

/** As after `| head`. */
function unlessNobodyReads(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') throw error
}

/** The day that an option names, in UTC; undefined when it was left out. */
export function readDay(flags: CommandInput['flags'], name: string): string | undefined {
  const given = flags[name]
  if (given === undefined) return undefined
  const day = z.iso.date().safeParse(given)
  if (!day.success) throw new CommandError(`--${name} is a day, as 2026-11-01.`)
  return day.data
}
