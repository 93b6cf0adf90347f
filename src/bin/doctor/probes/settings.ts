import { secretSettings } from '../../../platform/settings/secret-settings.ts'
import { fileVariable, readGiven } from '../../../platform/settings/setting-files.ts'
import { type SettingName, SettingsError, settings } from '../../../platform/settings/settings.ts'
import { dkimFromSettings, dkimSettings } from '../../dkim.ts'
import { assertErasureLog, assertOwnHosts } from '../../startup/process-rules.ts'
import { asRoot, type Context, canTell, must, type Probe } from '../probe.ts'
import { modeOf } from '../programs.ts'

const names = Object.keys(settings) as SettingName[]
const isSecret = (name: string) => (secretSettings as readonly string[]).includes(name)

export const settingsProbe: Probe = {
  name: 'settings',
  expects: 'every setting is there and valid, and only root can read the secrets',
  look: async (context) => {
    const needed = names.filter((name) => isNeeded(context, name))
    const wrong = needed.flatMap((name) => faultsOf(name, () => context.read([name])))
    const all = wrong.length > 0 ? wrong : together(context)
    return [
      ...all.map(({ name, fault, code }) =>
        // Without rights this is no fault of the settings.
        code === 'EACCES'
          ? canTell(false, `${name}: ${fault}`, asRoot(context))
          : must(false, `${name}: ${fault}`, whereToSet(context, name)),
      ),
      ...secretSettings.map((name) => {
        // A file that is missing is reported when it is read.
        const file = context.environment[fileVariable(name)] ?? ''
        const mode = Number(modeOf(file)) & 0o777
        const cause = `Other users can read ${file} with ${name}: its mode is ${mode.toString(8)}.`
        return must((mode & 0o077) === 0, cause, `chmod 600 ${file}`)
      }),
    ]
  },
}

/** `database prepare` needs the administrator once, and a machine for development has no gateway with TLS. */
function isNeeded({ environment, isProduction }: Context, name: SettingName): boolean {
  if (readGiven(environment, name).value !== undefined || environment[fileVariable(name)]) return true
  if (name === 'ADMIN_DATABASE_URL') return false
  return isProduction || !name.startsWith('GATEWAY_CERTIFICATE')
}

/** What a rule says. A rule about several settings names the one that the operator should change. */
function faultsOf(name: SettingName, rule: () => unknown): SettingsError['faults'] {
  try {
    rule()
    return []
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.faults.length > 0 ? error.faults : [{ name, fault: error.message }]
  }
}

function whereToSet({ isProduction, unit, environment }: Context, name: SettingName): string {
  if (!isProduction) return `Set ${name} in the environment, then: npm run up`
  const file = environment[fileVariable(name)] ?? `/etc/broadside/secrets/${name}`
  const place = isSecret(name) ? `Write it to ${file} (root, mode 600)` : `Edit ${name} in /etc/broadside/broadside.env`
  return `${place}, then: ${unit('restart', 'broadside.target')}`
}

/** Rules about several settings. */
function together({ read }: Context): SettingsError['faults'] {
  const all = read(['ACCOUNT_PAGE_URL', 'DESK_URL', 'BROADSIDE_ENVIRONMENT', 'SITES', 'ERASURE_LOG'])
  const sites = Object.values(all.SITES).map((baseUrl) => ({ baseUrl }))
  return [
    ...faultsOf('DESK_URL', () => assertOwnHosts(all, sites)),
    ...faultsOf('ERASURE_LOG', () => assertErasureLog(all)),
    ...faultsOf('MAIL_DKIM_KEY', () => dkimFromSettings(read(dkimSettings))),
    ...faultsOf('API_PORT', () => assertDistinctPorts(read)),
  ]
}

function assertDistinctPorts(read: Context['read']): void {
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
