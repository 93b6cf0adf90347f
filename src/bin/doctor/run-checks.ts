import type { Clock } from '../../platform/clock.ts'
import { readSettings, SettingsError } from '../../platform/settings/settings.ts'
import { type Context, type Level, NotChecked, type Outcome, unchecked } from './check.ts'
import { hideSecrets } from './hide-secrets.ts'
import type { Check } from './table.ts'

export type CheckResult = Outcome & { check: string; status: 'ok' | Level }

type Options = {
  environment: NodeJS.ProcessEnv
  clock: Clock
  /** How long one connection may take. The time limits of the checks grow with it. */
  timeoutSeconds: number
}

/** The time limits in the table of checks are for this one. */
export const usualTimeoutSeconds = 5

/** Runs the checks at the same time. Each one ends in its time limit, and no result contains a secret. */
export async function runChecks(chosen: readonly Check[], options: Options): Promise<CheckResult[]> {
  const hide = hideSecrets(options.environment)
  return await Promise.all(
    chosen.map(async (check) => {
      const { summary, findings } = await runOne(check, options)
      const hidden = findings.map(({ level, cause, fix }) => ({ level, cause: hide(cause), fix: hide(fix) }))
      return { check: check.name, status: worstOf(hidden), summary: hide(summary), findings: hidden }
    }),
  )
}

const levels = ['problem', 'unchecked', 'warning'] as const

const worstOf = (findings: readonly { level: Level }[]) =>
  levels.find((level) => findings.some((finding) => finding.level === level)) ?? 'ok'

async function runOne(check: Check, options: Options): Promise<Outcome> {
  const context = contextOf(options)
  const again = context.broadside(`doctor --only ${check.name}`)
  const seconds = check.seconds * Math.max(1, options.timeoutSeconds / usualTimeoutSeconds)
  // Loading takes long on a busy machine, and cannot hang.
  const run = await check.load()
  using late = startTimer(seconds, `${again} --timeout 30`)
  const made = run(context)
  // After the time limit nobody waits for it.
  made.catch(() => {})
  try {
    return await Promise.race([made, late.passed])
  } catch (error) {
    return { summary: '', findings: [explain(error, context, again)] }
  }
}

function startTimer(seconds: number, again: string) {
  const { promise, reject } = Promise.withResolvers<never>()
  const cause = `The check did not end within ${seconds} seconds: something does not answer, or the machine is overloaded.`
  const timer = setTimeout(() => reject(new NotChecked(cause, again)), seconds * 1_000)
  return { passed: promise, [Symbol.dispose]: () => clearTimeout(timer) }
}

function explain(error: unknown, { broadside }: Context, again: string) {
  if (error instanceof NotChecked) return unchecked(error.message, error.fix)
  if (error instanceof SettingsError) {
    const names = [...error.message.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name)
    const which = names.length > 0 ? names.join(', ') : 'Some settings'
    return unchecked(`${which}: missing or invalid.`, broadside('doctor --only settings'))
  }
  const { name, message } = error as Error
  return unchecked(
    `The check failed (${name}: ${message}).`,
    `Run \`${again}\` again, and report it if it fails again.`,
  )
}

function contextOf({ environment, clock, timeoutSeconds }: Options): Context {
  const isProduction = !['development', 'test'].includes(environment['BROADSIDE_ENVIRONMENT'] ?? '')
  return {
    environment,
    clock,
    isProduction,
    timeoutMs: timeoutSeconds * 1_000,
    read: (names) => readSettings(environment, names),
    broadside: (words) => (isProduction ? `broadside ${words}` : `npm run broadside -- ${words}`),
    unit: (verb, name) => (isProduction ? `systemctl ${verb} ${name}` : 'npm run up'),
  }
}
