import { statSync } from 'node:fs'
import { secretSettings } from '../../../platform/settings/secret-settings.ts'
import { fileVariable, readGiven } from '../../../platform/settings/setting-files.ts'
import { type SettingName, SettingsError, settings } from '../../../platform/settings/settings.ts'
import { dkimFromSettings, dkimSettings } from '../../dkim.ts'
import { assertErasureLog, assertOwnHosts } from '../../startup/process-rules.ts'
import { asRoot, type CheckFinding, type Context, problem, type RunCheck, unchecked, warning } from '../check.ts'

const names = Object.keys(settings) as SettingName[]
const isSecret = (name: string) => (secretSettings as readonly string[]).includes(name)

export const checkSettings: RunCheck = async (context) => {
  const wrong = names.filter((name) => isNeeded(context, name)).flatMap((name) => checkOne(context, name))
  const together = wrong.length > 0 ? [] : checkTogether(context)
  const findings = [...wrong, ...together, ...openFiles(context), ...misspelt(context)]
  const given = names.filter((name) => readGiven(context.environment, name).value !== undefined).length
  const strictness = context.isProduction ? 'the rules for production' : 'the rules for development'
  return { summary: `${given} settings are given and valid by ${strictness}; the others have a default.`, findings }
}

/** `database prepare` needs the administrator once, and a machine for development has no gateway with TLS. */
function isNeeded({ environment, isProduction }: Context, name: SettingName): boolean {
  if (readGiven(environment, name).value !== undefined || environment[fileVariable(name)]) return true
  if (name === 'ADMIN_DATABASE_URL') return false
  return isProduction || !name.startsWith('GATEWAY_CERTIFICATE')
}

function checkOne(context: Context, name: SettingName): CheckFinding[] {
  try {
    context.read([name])
    return []
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const cause = error.message.replace(/^Invalid settings:\s*/, '')
    // Without rights this is no fault of the settings.
    if (context.environment[fileVariable(name)] && cause.includes('(EACCES)'))
      return [unchecked(cause, asRoot(context))]
    return [problem(cause, whereToSet(context, name))]
  }
}

function whereToSet({ isProduction, unit, environment }: Context, name: SettingName): string {
  if (!isProduction) return `Set ${name} in the environment, then: npm run up`
  const file = environment[fileVariable(name)] ?? `/etc/broadside/secrets/${name}`
  const place = isSecret(name) ? `Write it to ${file} (root, mode 600)` : `Edit ${name} in /etc/broadside/broadside.env`
  return `${place}, then: ${unit('restart', 'broadside.target')}`
}

/** Rules about several settings. */
function checkTogether(context: Context): CheckFinding[] {
  const { ACCOUNT_PAGE_URL, DESK_URL, BROADSIDE_ENVIRONMENT, SITES } = context.read([
    'ACCOUNT_PAGE_URL',
    'DESK_URL',
    'BROADSIDE_ENVIRONMENT',
    'SITES',
  ])
  const sites = Object.values(SITES).map((baseUrl) => ({ baseUrl }))
  const rules: [SettingName, () => unknown][] = [
    ['DESK_URL', () => assertOwnHosts({ ACCOUNT_PAGE_URL, DESK_URL, BROADSIDE_ENVIRONMENT }, sites)],
    ['ERASURE_LOG', () => assertErasureLog(context.read(['BROADSIDE_ENVIRONMENT', 'ERASURE_LOG']))],
    ['MAIL_DKIM_KEY', () => dkimFromSettings(context.read(dkimSettings))],
    ['API_PORT', () => assertDistinctPorts(context)],
  ]
  return rules.flatMap(([name, rule]) => {
    try {
      rule()
      return []
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      return [problem(error.message, whereToSet(context, name))]
    }
  })
}

function assertDistinctPorts({ read }: Context): void {
  const one = read([
    ...(['OWNER_PAGE_PORT', 'OWNER_PAGE_HEALTH_PORT', 'DESK_PORT', 'DESK_HEALTH_PORT'] as const),
    ...(['CARDS_PORT', 'CARDS_HEALTH_PORT', 'MODEL_PORT'] as const),
  ])
  const many = read(['API_PORT', 'API_HEALTH_PORT', 'API_PROCESSES', 'WORKER_HEALTH_PORT', 'WORKER_PROCESSES'])
  const row = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)
  const ports = [
    ...Object.values(one),
    ...row(many.API_PORT, many.API_PROCESSES),
    ...row(many.API_HEALTH_PORT, many.API_PROCESSES),
    ...row(many.WORKER_HEALTH_PORT, many.WORKER_PROCESSES),
  ]
  const twice = ports.find((port, index) => ports.indexOf(port) < index)
  if (twice) throw new SettingsError(`Two processes have port ${twice}: give each its own port.`)
}

/** Secrets that other users of the machine can read. */
function openFiles({ environment }: Context): CheckFinding[] {
  return secretSettings.flatMap((name) => {
    const file = environment[fileVariable(name)]
    const mode = file ? modeOf(file) : undefined
    if (mode === undefined || (mode & 0o077) === 0) return []
    return [problem(`Other users can read ${file} with ${name}: its mode is ${mode.toString(8)}.`, `chmod 600 ${file}`)]
  })
}

/** Undefined if it is missing or hidden, which reading it reports. */
function modeOf(file: string): number | undefined {
  try {
    return statSync(file).mode & 0o777
  } catch {
    return undefined
  }
}

/** Variables that have no meaning and nearly the name of a setting. */
function misspelt({ environment }: Context): CheckFinding[] {
  const known = new Set<string>(names.flatMap((name) => [name, fileVariable(name)]))
  return Object.keys(environment)
    .filter((name) => !known.has(name) && name.length > 6)
    .flatMap((name) => {
      const meant = [...known].find((other) => isNear(name, other))
      return meant
        ? [warning(`There is no setting ${name}. Did you mean ${meant}?`, `Rename ${name} to ${meant}.`)]
        : []
    })
}

/** One or two characters differ: one edit, or two letters that changed places. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  const shorter = Math.min(one.length, other.length) - start
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  return Math.max(left.length, right.length) <= 1 || [...left].reverse().join('') === right
}
