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

const numeric = (preset: number, { min = 0, max = Number.MAX_SAFE_INTEGER }: Bounds, isWhole: boolean) => ({
  type: 'string' as const,
  shown: String(preset),
  read: (given: unknown, name: string) => {
    const number = given === undefined ? preset : Number(String(given).trim() || Number.NaN)
    if (number >= min && number <= max && (!isWhole || Number.isInteger(number))) return number
    const what = isWhole ? 'a whole number' : 'a number'
    throw new UsageError(`--${name} must be ${what} from ${min} to ${max.toLocaleString('en')}, not '${given}'.`)
  },
})

/** A number. Exponents such as 10e6 are accepted. */
export const decimal = (preset: number, bounds: Bounds = {}): Option<number> => numeric(preset, bounds, false)

export const wholeNumber = (preset: number, { min = 1, max = 1e9 }: Bounds = {}): Option<number> =>
  numeric(preset, { min, max }, true)

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

/** Wrong options, or no message if `--help` was given, with what the script reads. */
class Misused extends UsageError {
  readonly usage: string
  constructor(message: string, usage: string) {
    super(message)
    this.usage = usage
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
  const usage = [...placeholders, ...Object.entries(options).map(inUsage)].join(' ')
  if (args.includes('--help') || args.includes('-h')) throw new Misused('', usage)
  try {
    const { values, positionals: words } = parseArgs({
      args: [...args],
      options: options as unknown as ParseArgsOptionsConfig,
      allowPositionals: placeholders.length > 0,
    })
    const needed = placeholders.filter((word) => word.startsWith('<')).length
    if (words.length < needed) throw new UsageError(`Pass ${placeholders.slice(words.length, needed).join(' and ')}.`)
    if (words.length > placeholders.length && !placeholders.at(-1)?.endsWith('…'))
      throw new UsageError(`Unexpected argument '${words[placeholders.length]}'.`)
    const read = Object.entries(options).map(([name, option]) => [name, option.read(values[name] as string, name)])
    return { values: Object.fromEntries(read), words }
  } catch (error) {
    const isMisuse =
      error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
    throw isMisuse ? new Misused(whatIsWrong(error as Error), usage) : error
  }
}

const inUsage = ([name, { shown, multiple }]: [string, Option<unknown>]) =>
  `[--${name}${shown === undefined ? '' : ` ${shown}`}${multiple ? ' …' : ''}]`

/** The first sentence of parseArgs; the others are about positional arguments, which the usage shows. */
export const whatIsWrong = ({ message }: Error): string =>
  `${message.replace(/\. To specify a positional.*$/s, '').replace(/\.$/, '')}.`

export type Script = {
  /** As people type it: `npm run bench -- webhooks`. */
  command: string
  /** What it does. Printed by `--help`, after the usage. */
  details: string | (() => string)
}

/**
 * Runs a script. Wrong options print what is wrong and the usage, and exit with 2; `--help` prints the usage and what
 * the script does; an expected error prints its message and exits with 1. Only a bug prints a stack trace.
 */
export async function runScript(
  { command, details }: Script,
  run: (args: string[]) => Promise<void> | void,
  args: string[] = process.argv.slice(2),
): Promise<void> {
  // npm passes on only what follows two dashes.
  const dashes = command.includes(' -- ') ? '' : ' --'
  const usage = (own: string) => `Usage: ${command}${own && `${dashes} ${own}`}`
  try {
    await run(args)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (error instanceof Misused && error.message === '')
      return console.log(`${usage(error.usage)}\n\n${typeof details === 'string' ? details : details()}`)
    process.exitCode = error instanceof UsageError ? 2 : 1
    console.error(error.message)
    if (error instanceof Misused) console.error(`\n${usage(error.usage)}\n${command}${dashes} --help says more.`)
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
