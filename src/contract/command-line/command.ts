/** A command of `broadside`, the command line for callers of the API. The client, completions and docs derive from it. */
export type CliCommand = {
  name: string
  /** One line for the list of commands. */
  summary: string
  /** More for `broadside <command> --help`. */
  description: string
  arguments: readonly CliArgument[]
  options: readonly CliOption[]
  /** Complete command lines that can be pasted into a shell. */
  examples: readonly string[]
}

export type CliArgument = {
  name: string
  description: string
  isOptional?: true
  /** The last argument can be given several times. */
  repeats?: true
  /** The only valid values, if they are known. */
  values?: readonly string[]
}

export type CliOption = {
  /** Without the hyphens. */
  name: string
  short?: string
  description: string
  /** What stands for the value in the help. An option without one is a switch. */
  value?: string
  values?: readonly string[]
  repeats?: true
  /** The field of a post's body that the option sets. */
  field?: string
  default?: string
}

export type ExitCode = { code: number; name: string; meaning: string }
