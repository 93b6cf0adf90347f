import type { CliCommand, CliOption } from '../../command-line/command.ts'
import { commands, globalOptions } from '../../command-line/commands.ts'

/** The lines of completion scripts by shell. */
export const completions = () => ({ bash: linesOf(bash()), zsh: linesOf(zsh()), fish: linesOf(fish()) })

const linesOf = (script: string) => script.trimEnd().split('\n')

const names = commands.map(({ name }) => name)
const optionsOf = ({ options }: CliCommand): readonly CliOption[] => [...options, ...globalOptions]
const flags = (command: CliCommand) => optionsOf(command).map(({ name }) => `--${name}`)
const valuesOf = (command: CliCommand) => command.arguments.flatMap(({ values = [] }) => values)

function bash(): string {
  const cases = commands.map((command) => {
    const valued = optionsOf(command).filter(({ values }) => values)
    const byOption = valued.map(({ name, values }) => `        --${name}) words='${values?.join(' ')}' ;;`)
    return [
      `    ${command.name})`,
      `      case "$previous" in`,
      ...byOption,
      `        *) words='${[...valuesOf(command), ...flags(command)].join(' ')}' ;;`,
      '      esac',
      '      ;;',
    ].join('\n')
  })
  return `# Completions for broadside in bash. Generated; print them with: broadside completion bash
_broadside() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${[...names, '--help', '--version'].join(' ')}' -- "$current"))
    return
  fi
  case "$command" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _broadside broadside
`
}

function zsh(): string {
  const cases = commands.map((command) => {
    const specs = optionsOf(command).map(zshOption)
    const values = command.arguments.map(
      ({ name, values: known, repeats }, index) =>
        `'${repeats ? '*' : index + 1}:${name}:${known ? `(${known.join(' ')})` : '_files'}'`,
    )
    return `    ${command.name}) _arguments ${[...specs, ...values].join(' \\\n      ')} ;;`
  })
  return `#compdef broadside
# Completions for broadside in zsh. Generated; print them with: broadside completion zsh
_broadside() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${zshText(summary)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _broadside broadside
`
}

function zshOption({ name, value, values, description, repeats }: CliOption): string {
  const taken = value ? `:${value}:${values ? `(${values.join(' ')})` : '_files'}` : ''
  return `'${repeats ? '*' : ''}--${name}[${zshText(description)}]${taken}'`
}

/** Characters that end a description in zsh, or the quotes around it. */
const zshText = (text: string) =>
  text
    .replaceAll('’', "'")
    .replaceAll("'", "'\\''")
    .replaceAll(/[[\]:]/g, '\\$&')

function fish(): string {
  const lines = commands.flatMap((command) => {
    const within = `-n '__fish_seen_subcommand_from ${command.name}'`
    const values = valuesOf(command)
    return [
      `complete -c broadside -n __fish_use_subcommand -f -a ${command.name} -d '${fishText(command.summary)}'`,
      ...(values.length > 0 ? [`complete -c broadside ${within} -f -a '${values.join(' ')}'`] : []),
      ...optionsOf(command).map((option) => `complete -c broadside ${within} ${fishOption(option)}`),
    ]
  })
  return `# Completions for broadside in fish. Generated; print them with: broadside completion fish\n${lines.join('\n')}\n`
}

function fishOption({ name, short, value, values, description }: CliOption): string {
  const taken = values ? ` -x -a '${values.join(' ')}'` : value ? ' -r' : ''
  return `-l ${name}${short ? ` -s ${short}` : ''}${taken} -d '${fishText(description)}'`
}

const fishText = (text: string) => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
