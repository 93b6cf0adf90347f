import type { Clock } from '../../platform/clock.ts'
import type { SettingName, Settings } from '../../platform/settings/settings.ts'

/** A warning can wait. A problem breaks the service or will. `unchecked`: the check could not be made. */
export type Level = 'warning' | 'problem' | 'unchecked'

/** `cause`: a sentence. `fix`: the command to run, or a sentence if no command can do it. Neither contains a secret. */
export type CheckFinding = { level: Level; cause: string; fix: string }

/** `summary`: what was seen, for the line of a check without findings. */
export type Outcome = { summary: string; findings: readonly CheckFinding[] }

export type Context = {
  environment: NodeJS.ProcessEnv
  clock: Clock
  /** Throws a `SettingsError` if one is missing or invalid; the check then counts as not made. */
  read: <const Name extends SettingName>(names: readonly Name[]) => Settings<Name>
  isProduction: boolean
  /** How long one connection or program may take. */
  timeoutMs: number
  /** How to run a sub-command of the program in this installation. */
  broadside: (words: string) => string
  /** How to control a systemd unit; outside production, how to start all processes. */
  unit: (verb: 'start' | 'restart' | 'reload', name: string) => string
}

/** What a connection or a program needs. */
export type Patience = Pick<Context, 'timeoutMs' | 'environment'>

export type RunCheck = (context: Context) => Promise<Outcome>

/** Thrown when a check cannot be made. */
export class NotChecked extends Error {
  readonly fix: string

  constructor(cause: string, fix: string) {
    super(cause)
    this.fix = fix
  }
}

export const problem = (cause: string, fix: string): CheckFinding => ({ level: 'problem', cause, fix })
export const warning = (cause: string, fix: string): CheckFinding => ({ level: 'warning', cause, fix })
export const unchecked = (cause: string, fix: string): CheckFinding => ({ level: 'unchecked', cause, fix })

/** The system's code of an error, such as ENOENT or 28P01. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** How to repeat the whole command with more rights. */
export const asRoot = ({ broadside }: Context): string => `sudo ${broadside('doctor')}`

/** What was found at one address. The cause continues a sentence that begins with the address. */
export type AddressFinding = CheckFinding & { address: string }

/** One finding for all addresses with the same fault. */
export function joinAddresses(findings: readonly AddressFinding[]): CheckFinding[] {
  const groups = Map.groupBy(findings, ({ level, cause, fix }) => `${level}\n${cause}\n${fix}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const addresses = [...new Set(group.map(({ address }) => address))]
    return [{ level: first.level, cause: `${addresses.join(', ')}: ${first.cause}`, fix: first.fix }]
  })
}
