import type { Clock } from '../../platform/clock.ts'
import type { SettingName, Settings } from '../../platform/settings/settings.ts'

/** A warning can wait. A problem breaks the service or will. `unchecked`: nobody can tell yet. */
export type Level = 'warning' | 'problem' | 'unchecked'

/** `cause`: a sentence. `fix`: the command to run, or a sentence if no command can do it. Neither contains a secret. */
export type CheckFinding = { level: Level; cause: string; fix: string }

export type Context = {
  environment: NodeJS.ProcessEnv
  clock: Clock
  /** Throws a `SettingsError` if one is missing or invalid; the probe then counts as not made. */
  read: <const Name extends SettingName>(names: readonly Name[]) => Settings<Name>
  isProduction: boolean
  /** How long one connection or program may take. */
  timeoutMs: number
  /** How to run a sub-command of the program in this installation. */
  broadside: (words: string) => string
  /** How to control a systemd unit; outside production, how to start all processes. */
  unit: (verb: 'start' | 'restart' | 'reload', name: string) => string
  /** The URL of a role that can log in to the database, looked for once. */
  anyUrl: () => Promise<string>
}

/** A row of the table of `doctor`. */
export type Probe = {
  name: string
  /** What it reads and expects, for --help, the runbook and the line of a probe that found nothing else. */
  expects: string
  /** Reads, and returns one entry for each expectation: undefined if it is met. */
  look: (context: Context) => Promise<(CheckFinding | undefined)[]>
}

type Expectation = (isMet: boolean, cause: string, fix: string) => CheckFinding | undefined

const orElse =
  (level: Level): Expectation =>
  (isMet, cause, fix) =>
    isMet ? undefined : { level, cause, fix }

/** An expectation, the cause if it is not met, and the repair. */
export const must = orElse('problem')
export const should = orElse('warning')
/** An expectation without which nobody can tell. */
export const canTell = orElse('unchecked')

/** Thrown when a probe cannot be made. */
export class NotChecked extends Error {
  readonly fix: string

  constructor(cause: string, fix: string) {
    super(cause)
    this.fix = fix
  }
}

/** The system's code of an error, such as ENOENT or 28P01. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** How to repeat the command with more rights. */
export const asRoot = ({ broadside }: Pick<Context, 'broadside'>): string => `As root: ${broadside('doctor')}`
