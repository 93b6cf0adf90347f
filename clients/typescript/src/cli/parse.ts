import { parseArgs } from 'node:util'
import { UsageError } from './cli-error.ts'
import {
  type Command,
  type CommandArgument,
  type CommandOption,
  closestTo,
  commands,
  globalOptions,
  optionsOf,
} from './command-table.ts'

export type OptionValues = Readonly<Record<string, string | true | readonly string[] | undefined>>
export type Invocation =
  | { command: Command; args: readonly string[]; options: OptionValues }
  | { help: Command | undefined }
  | { version: true }

const commandIndexIn = (argv: readonly string[]) => argv.findIndex((_, index) => isCommandAt(argv, index))

/** The word in the place of the command, valid or not. */
export const commandWordIn = (argv: readonly string[]): string | undefined => argv[commandIndexIn(argv)]

/** Reads a command line. Throws UsageError, which names the closest valid word. */
export function parseCommandLine(argv: readonly string[]): Invocation {
  const at = commandIndexIn(argv)
  const word = argv[at]
  const before = at < 0 ? argv : argv.slice(0, at)
  if (before.some((one) => one === '--version' || one === '-v')) return { version: true }
  if (word === undefined) return withoutCommand(argv)
  if (word === 'help') return { help: argv[at + 1] === undefined ? undefined : commandNamed(String(argv[at + 1])) }
  const command = commandNamed(word)
  const rest = [...before, ...argv.slice(at + 1)]
  const parsed = parseArgs({
    args: rest,
    options: configOf(optionsOf(command)),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const tokens = parsed.tokens.filter((token) => token.kind === 'option')
  if (tokens.some(({ name }) => name === 'help')) return { help: command }
  for (const token of tokens) checkOption(command, token)
  const args = parsed.positionals
  checkArguments(command, args)
  return { command, args, options: withDefaults(command, parsed.values as OptionValues) }
}

/** Whether the word is the first that is neither a global option nor the value of one. */
function isCommandAt(argv: readonly string[], index: number): boolean {
  const takesValue = (word = '') => globalOptions.some(({ name, value }) => value && word === `--${name}`)
  return !argv[index]?.startsWith('-') && !takesValue(argv[index - 1])
}

function withoutCommand(argv: readonly string[]): Invocation {
  const known = [...globalOptions.map(({ name }) => `--${name}`), '-h', '--version']
  const unknown = argv.find((word) => word.startsWith('-') && !known.includes(word.split('=')[0] ?? ''))
  if (unknown) throw new UsageError(`${unknown} is not an option.`, 'Run `broadside --help`.')
  return { help: undefined }
}

function commandNamed(word: string): Command {
  const found = commands.find(({ name }) => name === word)
  if (found) return found
  const names = commands.map(({ name }) => name)
  const closest = closestTo(word, [...names, 'help'])
  throw new UsageError(
    `${word} is not a command.`,
    closest ? `Did you mean \`broadside ${closest}\`?` : 'Run `broadside --help` for a list.',
  )
}

const configOf = (options: readonly CommandOption[]) =>
  Object.fromEntries(
    options.map(({ name, short, value, repeats }) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        ...(short && { short }),
        ...(repeats && { multiple: true }),
      },
    ]),
  )

type OptionToken = { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined }

function checkOption(command: Command, { name, rawName, value, inlineValue }: OptionToken) {
  const options = optionsOf(command)
  const option = options.find((one) => one.name === name)
  if (!option) throw unknownOption(command, rawName)
  if (!option.value) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value.`)
    return
  }
  const isAnotherOption = value !== undefined && !inlineValue && /^-./.test(value)
  if (value === undefined || isAnotherOption)
    throw new UsageError(
      `--${name} needs a value: --${name} <${option.value}>.`,
      isAnotherOption ? `If the value starts with -, write --${name}=${value}` : undefined,
    )
  if (option.values) checkValue(`--${name}`, value, option.values)
  if (['number', 'seconds'].includes(option.value) && !/^[1-9]\d{0,6}$/.test(value))
    throw new UsageError(`--${name} must be a whole number from 1 to 9999999.`)
}

function unknownOption(command: Command, rawName: string): UsageError {
  const names = optionsOf(command).map(({ name }) => name)
  const closest = closestTo(rawName.replace(/^-+/, ''), names)
  return new UsageError(
    `${rawName} is not an option of \`broadside ${command.name}\`.`,
    closest ? `Did you mean --${closest}?` : `Run \`broadside ${command.name} --help\` for a list.`,
  )
}

function checkValue(what: string, value: string, values: readonly string[]) {
  if (values.includes(value)) return
  const closest = closestTo(value, values)
  throw new UsageError(
    `${what} must be one of: ${values.join(', ')}.`,
    closest ? `Did you mean ${closest}?` : undefined,
  )
}

function checkArguments(command: Command, args: readonly string[]) {
  const declared: readonly CommandArgument[] = command.arguments
  const missing = declared.find(({ isOptional }, index) => !isOptional && args[index] === undefined)
  if (missing) throw new UsageError(`<${missing.name}> is missing.`, `Usage: broadside ${usageOf(command)}`)
  for (const [index, value] of args.entries()) {
    const argument = declared[Math.min(index, declared.length - 1)]
    if (!argument || (index >= declared.length && !argument.repeats))
      throw new UsageError('Too many arguments.', `Usage: broadside ${usageOf(command)}`)
    if (value.trim() === '')
      throw new UsageError(`<${argument.name}> is empty.`, `Usage: broadside ${usageOf(command)}`)
    if (argument.values) checkValue(`<${argument.name}>`, value, argument.values)
  }
}

/** The command with its arguments, such as `post <kind> [file]`. */
export const usageOf = (command: Command): string =>
  [
    command.name,
    ...command.arguments.map(({ name, isOptional, repeats }) => {
      const shown = repeats ? `${name}…` : name
      return isOptional ? `[${shown}]` : `<${shown}>`
    }),
  ].join(' ')

function withDefaults(command: Command, values: OptionValues): OptionValues {
  const defaults = optionsOf(command).flatMap((option) => (option.default ? [[option.name, option.default]] : []))
  return { ...Object.fromEntries(defaults), ...values }
}
