import { readFileSync } from 'node:fs'
import { type Command, type CommandOption, commands, exitCodes, globalOptions } from './command-table.ts'
import { usageOf } from './parse.ts'
import type { Output } from './terminal/output.ts'
import { pad, wrap } from './terminal/text.ts'

type Look = Pick<Output, 'width' | 'style'>

/** The help of all commands, or of one. */
export function helpText(command: Command | undefined, look: Look): string {
  const columns = Math.min(100, Number.isFinite(look.width) ? look.width : 80)
  const title = (text: string) => look.style('bold', text)
  return `${(command ? helpOf(command, columns, title) : overview(columns, title)).join('\n')}\n`
}

type Title = (text: string) => string

function overview(columns: number, title: Title): string[] {
  return [
    'Publish posts on Broadside, and read them.',
    '',
    `${title('Usage:')} broadside <command> [arguments] [options]`,
    '',
    title('Commands'),
    ...listed(
      commands.map(({ name, summary }) => [name, summary]),
      columns,
    ),
    '',
    title('Options'),
    ...listed([...globalOptions.map(optionRow), ['--version', 'Print the version.']], columns),
    '',
    title('Exit codes'),
    ...listed(
      exitCodes.map(({ code, meaning }) => [String(code), meaning]),
      columns,
    ),
    '',
    title('Environment'),
    ...listed(
      [
        ['BROADSIDE_URL', 'The address of any of the four sites.'],
        ['BROADSIDE_API_KEY', 'Your API key. It comes before the saved one.'],
      ],
      columns,
    ),
    '',
    'Run `broadside help <command>` for details.',
  ]
}

function helpOf(command: Command, columns: number, title: Title): string[] {
  const section = (name: string, rows: string[][]) =>
    rows.length > 0 ? ['', title(name), ...listed(rows, columns)] : []
  return [
    ...wrap(command.description, columns),
    '',
    `${title('Usage:')} broadside ${usageOf(command)} [options]`,
    ...section(
      'Arguments',
      command.arguments.map(({ name, description, values }) => [`<${name}>`, withValues(description, values)]),
    ),
    ...section('Options', [...command.options, ...globalOptions].map(optionRow)),
    '',
    title('Examples'),
    ...command.examples.map((example) => `  ${example}`),
  ]
}

function optionRow({ name, short, value, values, description, default: given }: CommandOption): string[] {
  const flag = `${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`
  return [flag, withValues(description, values) + (given ? ` Default: ${given}.` : '')]
}

const withValues = (description: string, values: readonly string[] | undefined) =>
  values ? `${description} One of: ${values.join(', ')}.` : description

function listed(rows: readonly (readonly string[])[], columns: number): string[] {
  const width = Math.min(28, Math.max(...rows.map(([name = '']) => name.length)))
  return rows.flatMap(([name = '', text = '']) => {
    const [first = '', ...more] = wrap(text, Math.max(20, columns - width - 4))
    const indented = more.map((line) => ' '.repeat(width + 4) + line)
    return name.length > width
      ? [`  ${name}`, ' '.repeat(width + 4) + first, ...indented]
      : [`  ${pad(name, width)}  ${first}`, ...indented]
  })
}

/** The version of this package. */
export function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
