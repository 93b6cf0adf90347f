import type { Clock } from '../../platform/clock.ts'
import { readSettings, SettingsError } from '../../platform/settings/settings.ts'
import { CommandError } from '../command.ts'
import { inTime } from './ask.ts'
import { findUsableUrl } from './databases.ts'
import { hideSecrets } from './hide-secrets.ts'
import { type CheckFinding, type Context, codeOf, type Level, NotChecked, type Probe } from './probe.ts'

export type Result = { check: string; status: 'ok' | Level; summary: string; findings: CheckFinding[] }

type Options = {
  environment: NodeJS.ProcessEnv
  clock: Clock
  /** How long one connection may take. */
  timeoutSeconds: number
}

/** A probe that takes longer than so many connections is ended and counts as not made. */
const mostConnections = 24

/** Makes the probes one after the other, so that none waits for another's work. No result contains a secret. */
export async function runProbes(probes: readonly Probe[], options: Options): Promise<Result[]> {
  const hide = hideSecrets(options.environment)
  const context = contextOf(options)
  const results: Result[] = []
  for (const { name, expects, look } of probes) {
    const made = inTime(mostConnections * context.timeoutMs, () => look(context), 1)
    const found = await made.catch((error: unknown) => [explain(error, context, name)])
    const findings = found
      .flatMap((finding) => finding ?? [])
      .map(({ level, cause, fix }) => ({ level, cause: hide(cause), fix: hide(fix) }))
    results.push({ check: name, status: worstOf(findings), summary: expects, findings })
  }
  return results
}

const levels = ['problem', 'unchecked', 'warning'] as const

const worstOf = (findings: readonly CheckFinding[]) =>
  levels.find((level) => findings.some((finding) => finding.level === level)) ?? 'ok'

/** Why a probe could not be made. */
function explain(error: unknown, { broadside }: Context, name: string): CheckFinding {
  const level = 'unchecked'
  if (error instanceof NotChecked) return { level, cause: error.message, fix: error.fix }
  if (error instanceof CommandError) return { level, cause: error.message, fix: broadside('doctor --only settings') }
  if (error instanceof SettingsError) {
    const names = error.faults.map((fault) => fault.name).join(', ') || 'Some settings'
    return { level, cause: `${names}: missing or invalid.`, fix: broadside('doctor --only settings') }
  }
  const { message } = error as Error
  const cause = `The check failed (${[codeOf(error), message].filter(Boolean).join(': ')}).`
  return { level, cause, fix: `${broadside(`doctor --only ${name} --timeout 30`)}, and report it if it fails again.` }
}

function contextOf({ environment, clock, timeoutSeconds }: Options): Context {
  const isProduction = !['development', 'test'].includes(environment['BROADSIDE_ENVIRONMENT'] ?? '')
  let url: Promise<string> | undefined
  const context: Context = {
    environment,
    clock,
    isProduction,
    timeoutMs: timeoutSeconds * 1_000,
    read: (names) => readSettings(environment, names),
    broadside: (words) => (isProduction ? `broadside ${words}` : `npm run broadside -- ${words}`),
    unit: (verb, name) => (isProduction ? `systemctl ${verb} ${name}` : 'npm run up'),
    anyUrl: () => {
      url ??= findUsableUrl(context)
      return url
    },
  }
  return context
}
