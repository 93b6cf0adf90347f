import clientPackage from '../../../../../clients/typescript/package.json' with { type: 'json' }
import { bodyOptions } from '../../../../contract/command-line/body-options.ts'
import type { CliArgument, CliCommand, CliOption } from '../../../../contract/command-line/command.ts'
import { commands, globalOptions } from '../../../../contract/command-line/commands.ts'
import { exitCodes } from '../../../../contract/command-line/exit-codes.ts'
import type { DocumentSite } from '../../document-site.ts'
import type { TextFacts } from '../../fill.ts'
import { codeFence, markdownTable } from '../../markdown-parts.ts'

const name = clientPackage.name

export const commandLineFacts = ({ baseUrl }: DocumentSite): TextFacts => ({
  package: name,
  node: clientPackage.engines.node.replace('>=', ''),
  exit_codes: markdownTable(
    ['Exit code', 'Meaning'],
    exitCodes.map(({ code, meaning }) => [`\`${code}\``, meaning]),
  ),
  shells: new Intl.ListFormat('en-GB').format(argumentOf('completion').values ?? []),
  completion: commandNamed('completion').examples.join('\n'),
  commands: markdownTable(
    ['Command', 'What it does'],
    commands.map((command) => [`[${command.name}](#${idOf(command)})`, command.summary]),
  ),
  global_options: optionList(globalOptions),
  body_options: optionList(bodyOptions),
  command_texts: commands.map((command) => commandText(command, baseUrl)).join('\n\n'),
})

function commandNamed(wanted: string): CliCommand {
  const command = commands.find((each) => each.name === wanted)
  if (!command) throw new Error(`No command has the name ${wanted}.`)
  return command
}
const argumentOf = (wanted: string): CliArgument => commandNamed(wanted).arguments[0] as CliArgument

const idOf = (command: CliCommand) => `command-${command.name}`

/** A command as Markdown: how to write it, what it does, its arguments and options, and examples. */
function commandText(command: CliCommand, baseUrl: string): string {
  const takesFields = bodyOptions.every((option) => command.options.includes(option))
  const own = command.options.filter((option) => !takesFields || !bodyOptions.includes(option))
  const fields = [
    ...command.arguments.map((argument) => `\`${writtenArgument(argument)}\`\n: ${describe(argument)}`),
    ...own.map(optionItem),
    ...(takesFields ? ['`--text`, `--title` …\n: The [fields of a post](#fields-of-a-post).'] : []),
  ]
  return [
    `### ${name} ${command.name} {#${idOf(command)}}`,
    ...(usage(command) === `${name} ${command.name}` ? [] : [`\`${usage(command)}\``]),
    markOptions(command.description),
    ...(fields.length > 0 ? [fields.join('\n')] : []),
    codeFence('sh', command.examples.join('\n').replaceAll('https://messages.broadside.example', baseUrl)),
  ].join('\n\n')
}

/** The text with names of options as code. */
const markOptions = (text: string): string => text.replaceAll(/(?<=^|\s)--[a-z-]+|<site>\/terms\//g, '`$&`')

const usage = (command: CliCommand): string =>
  [
    name,
    command.name,
    ...command.arguments.map(writtenArgument),
    ...(command.options.length > 0 ? ['[options]'] : []),
  ].join(' ')

function writtenArgument({ name, isOptional, repeats }: CliArgument): string {
  const written = `${name}${repeats ? ' …' : ''}`
  return isOptional ? `[${written}]` : `<${written}>`
}

const optionList = (options: readonly CliOption[]): string => options.map(optionItem).join('\n')

function optionItem(option: CliOption): string {
  const { name, short, value } = option
  const written = [...(short ? [`-${short}`] : []), `--${name}${value ? ` <${value}>` : ''}`].join(', ')
  return `\`${written}\`\n: ${describe(option)}`
}

function describe({ description, values, ...rest }: CliArgument | CliOption): string {
  const standard = 'default' in rest && rest.default !== undefined ? ` Default: ${rest.default}.` : ''
  const known = values ? ` One of ${values.map((value) => `\`${value}\``).join(', ')}.` : ''
  return `${markOptions(description)}${known}${standard}`
}
