import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { CommandError, UsageError } from '../src/bin/command.ts'
import { closestName } from '../src/contract/problems/closest-name.ts'

/** One option of a script: what `--help` shows, and how its text is read. */
type Option<Value> = {
  type: 'string' | 'boolean'
  multiple?: boolean
  /** What stands for the value in the usage, such as its default. */
  shown?: string
  read: (given: string | boolean | string[] | undefined, name: string) => Value
}
export type Options = Readonly<Record<string, Option<unknown>>>
export type Values<Given extends Options> = { [Name in keyof Given]: ReturnType<Given[Name]['read']> }

type Bounds = { min?: number; max?: number }

/** A number. Exponents such as 10e6 are accepted. */
export const decimal = (preset: number, { min = 0, max = Number.MAX_SAFE_INTEGER }: Bounds = {}): Option<number> => ({
  type: 'string',
  shown: String(preset),
  read: (given, name) => readNumber(given ?? preset, name, { min, max, what: 'a number' }),
})

export const wholeNumber = (preset: number, { min = 1, max = 1e9 }: Bounds = {}): Option<number> => ({
  type: 'string',
  shown: String(preset),
  read: (given, name) => {
    const number = readNumber(given ?? preset, name, { min, max, what: 'a whole number' })
    if (Number.isInteger(number)) return number
    throw new UsageError(`--${name} must be a whole number, not '${given}'.`)
  },
})

function readNumber(given: unknown, name: string, { min, max, what }: Required<Bounds> & { what: string }): number {
  const number = String(given).trim() === '' ? Number.NaN : Number(given)
  if (number >= min && number <= max) return number
  const range = max >= Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max.toLocaleString('en')}`
  throw new UsageError(`--${name} must be ${what} ${range}, not '${given}'.`)
}

export const text = (shown = 'text'): Option<string | undefined> => ({
  type: 'string',
  shown,
  read: (given) => given as string | undefined,
})

export const textOr = (preset: string): Option<string> => ({
  type: 'string',
  shown: preset,
  read: (given) => (given ?? preset) as string,
})

export const texts = (shown: string): Option<string[] | undefined> => ({
  type: 'string',
  multiple: true,
  shown,
  read: (given) => given as string[] | undefined,
})

export const oneOf = <Choice extends string>(choices: readonly Choice[], preset: Choice): Option<Choice> => ({
  type: 'string',
  shown: choices.join('|'),
  read: (given, name) => {
    const found = choices.find((choice) => choice === (given ?? preset))
    if (found !== undefined) return found
    throw new UsageError(`--${name} must be ${choices.join(' or ')}, not '${given}'.`)
  },
})

export const flag: Option<boolean> = { type: 'boolean', read: (given) => given === true }

/** `--help` was given. Carries the options that the script reads. */
class HelpRequested extends CommandError {
  readonly options: Options
  readonly words: string
  constructor(options: Options, words: string) {
    super('--help was given.')
    this.options = options
    this.words = words
  }
}

/** Wrong options, with those that the script knows. */
class WrongOptions extends UsageError {
  readonly options: Options
  readonly words: string
  constructor(message: string, options: Options, words: string) {
    super(message)
    this.options = options
    this.words = words
  }
}

/** Reads the options of a script. Wrong ones, and `--help`, end it with its usage; see `runScript`. */
export const readOptions = <Given extends Options>(args: readonly string[], options: Given): Values<Given> =>
  readWords(args, options, []).values

/** Reads options and words, such as `<folder>` and `[name]`. */
export function readWords<Given extends Options>(
  args: readonly string[],
  options: Given,
  placeholders: readonly string[],
): { values: Values<Given>; words: string[] } {
  const usage = placeholders.join(' ')
  if (args.includes('--help') || args.includes('-h')) throw new HelpRequested(options, usage)
  try {
    const { values, positionals: words } = parseArgs({
      args: [...args],
      options: options as unknown as ParseArgsOptionsConfig,
      allowPositionals: placeholders.length > 0,
    })
    const needed = placeholders.filter((word) => word.startsWith('<')).length
    if (words.length < needed) throw new UsageError(`Pass ${placeholders.slice(words.length, needed).join(' and ')}.`)
    if (words.length > placeholders.length && !usage.endsWith('…'))
      throw new UsageError(`Unexpected argument '${words[placeholders.length]}'.`)
    const read = Object.entries(options).map(([name, option]) => [name, option.read(values[name] as string, name)])
    return { values: Object.fromEntries(read), words }
  } catch (error) {
    if (!isMisuse(error)) throw error
    throw new WrongOptions(whatIsWrong(error as Error), options, usage)
  }
}

/** The first sentence of parseArgs; the others are about positional arguments, which the usage shows. */
export const whatIsWrong = ({ message }: Error): string =>
  `${message.replace(/\. To specify a positional.*$/s, '').replace(/\.$/, '')}.`

const isMisuse = (error: unknown) =>
  error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')

export type Script = {
  /** As people type it: `npm run bench -- webhooks`. */
  command: string
  /** The words and options after the command, if the script does not read them with `readOptions`. */
  usage?: string
  /** What it does. Printed by `--help`, after the usage. */
  details: string | (() => string)
}

/**
 * Runs a script. Wrong options print what is wrong and the usage, and exit with 2; `--help` prints the usage and what
 * the script does; an expected error prints its message and exits with 1. Only a bug prints a stack trace.
 */
export async function runScript(
  script: Script,
  run: (args: string[]) => Promise<void> | void,
  args: string[] = process.argv.slice(2),
): Promise<void> {
  try {
    // A script that describes its own words has no other way to answer.
    if (script.usage !== undefined && (args.includes('--help') || args.includes('-h'))) return printHelp(script)
    await run(args)
  } catch (error) {
    if (error instanceof HelpRequested) return printHelp(script, usageOf(error))
    if (!(error instanceof CommandError)) throw error
    process.exitCode = error instanceof UsageError ? 2 : 1
    console.error(error.message)
    if (!(error instanceof UsageError)) return
    const own = error instanceof WrongOptions ? usageOf(error) : script.usage
    console.error(`\n${usageLine(script, own)}\n${script.command}${dashes(script)} --help says more.`)
  }
}

type Named = { summary: string; details?: string; load: () => Promise<(args: string[]) => Promise<void> | void> }

/** Runs the script of a table that the first word names. Without a word or with a wrong one, lists them. */
export async function runNamed(
  { command, what, details = '' }: { command: string; what: string; details?: string },
  table: Readonly<Record<string, Named>>,
  args: string[] = process.argv.slice(2),
): Promise<void> {
  const [name = '', ...rest] = args
  const chosen = Object.hasOwn(table, name) ? table[name] : undefined
  if (chosen) {
    const script = {
      command: `${command} -- ${name}`,
      details: [chosen.summary, chosen.details?.trim()].filter(Boolean).join('\n\n'),
    }
    return runScript(script, async (given) => (await chosen.load())(given), rest)
  }
  const width = Math.max(...Object.keys(table).map((each) => each.length)) + 1
  const list = Object.entries(table).map(([each, { summary }]) => `  ${each.padEnd(width)} ${summary}`)
  const usage = `Usage: ${command} -- <${what}> [options]\n       ${command} -- <${what}> --help`
  const help = [`${usage}\n`, ...list, ...(details ? [`\n${details}`] : [])].join('\n')
  if (name === '--help' || name === '-h') return console.log(help)
  process.exitCode = 2
  console.error(name === '' ? help : `${unknown(what, name, Object.keys(table))}\n\n${help}`)
}

/** What to say about a name that is not in the list, with the closest one that is. */
export function unknown(what: string, name: string, known: readonly string[]): string {
  const closest = closestName(name, known)
  return `Unknown ${what} '${name}'.${closest === undefined ? '' : ` Did you mean '${closest}'?`}`
}

function printHelp(script: Script, own = script.usage): void {
  const details = typeof script.details === 'string' ? script.details : script.details()
  console.log(`${usageLine(script, own)}\n\n${details}`)
}

const usageLine = (script: Script, own = '') =>
  `Usage: ${script.command}${own === '' ? '' : `${dashes(script)} ${own}`}`.trimEnd()

/** npm passes on only what follows two dashes. */
const dashes = ({ command }: Script) => (command.includes(' -- ') ? '' : ' --')

const usageOf = ({ options, words }: { options: Options; words: string }) =>
  [words, ...Object.entries(options).map(([name, option]) => `[${inUsage(name, option)}]`)].filter(Boolean).join(' ')

const inUsage = (name: string, { shown, multiple }: Option<unknown>) =>
  `--${name}${shown === undefined ? '' : ` ${shown}`}${multiple ? ' …' : ''}`
