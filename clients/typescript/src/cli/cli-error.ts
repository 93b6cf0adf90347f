import type { ExitName } from './command-table.ts'

type Details = { exit: ExitName; code: string; advice?: string; members?: object }

/** An error of the command line itself. The message says what is wrong, `advice` what to do. */
export class CliError extends Error {
  readonly exit: ExitName
  /** Stable, for scripts. */
  readonly code: string
  readonly advice: string | undefined
  /** More for the JSON document. */
  readonly members: object

  constructor(message: string, { exit, code, advice, members = {} }: Details) {
    super(message)
    this.exit = exit
    this.code = code
    this.advice = advice
    this.members = members
  }
}

/** The command line is not valid. */
export class UsageError extends CliError {
  constructor(message: string, advice?: string) {
    super(message, { exit: 'usage', code: 'usage', ...(advice && { advice }) })
  }
}

/** Another error with other advice, because something was done before it. It exits like the other error. */
export class AdvisedError extends Error {
  readonly advice: string
  /** More for the JSON document. */
  readonly members: object

  constructor(cause: unknown, advice: string, members: object = {}) {
    super(advice, { cause })
    this.advice = advice
    this.members = members
  }
}

/** Ctrl-C. `hint` says how to continue. */
export class InterruptedError extends CliError {
  constructor(hint: string) {
    super('Stopped.', { exit: 'interrupted', code: 'interrupted', advice: hint })
  }
}
