import { commandLine } from './generated.ts'

export type CommandArgument = {
  readonly name: string
  readonly description: string
  readonly isOptional?: true
  readonly repeats?: true
  readonly values?: readonly string[]
}
export type CommandOption = {
  readonly name: string
  readonly short?: string
  readonly description: string
  readonly value?: string
  readonly values?: readonly string[]
  readonly repeats?: true
  readonly field?: string
  readonly default?: string
}
export type Command = {
  readonly name: CommandName
  readonly summary: string
  readonly description: string
  readonly arguments: readonly CommandArgument[]
  readonly options: readonly CommandOption[]
  readonly examples: readonly string[]
}

export type CommandName = (typeof commandLine.commands)[number]['name']
export type ExitName = (typeof commandLine.exit_codes)[number]['name']

export const commands: readonly Command[] = commandLine.commands
export const globalOptions: readonly CommandOption[] = commandLine.global_options
export const exitCodes: readonly { code: number; name: ExitName; meaning: string }[] = commandLine.exit_codes

export const exitCodeOf = (name: ExitName): number => exitCodes.find((one) => one.name === name)?.code ?? 1

/** The options of a command, its own first. */
export const optionsOf = ({ options }: Command): readonly CommandOption[] => [...options, ...globalOptions]

/** The candidate that is most like a mistyped word; undefined if none is. */
export function closestTo(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const ranked = candidates
    .map((name) => ({ name, distance: name.startsWith(lower) && lower.length > 1 ? 1 : editDistance(lower, name) }))
    .sort((one, other) => one.distance - other.distance)
  const [best] = ranked
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined
}

/** The number of characters to insert, delete, replace or swap. */
function editDistance(one: string, other: string): number {
  const rows = [[...Array(other.length + 1).keys()]]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const at = (y: number, x: number) => (y === i ? row : rows[y])?.[x] ?? 0
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          ...(isSwap ? [at(i - 2, j - 2) + 1] : []),
        ),
      )
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}
