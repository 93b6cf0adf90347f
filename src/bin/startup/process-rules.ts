import { type Settings, SettingsError } from '../../platform/settings/settings.ts'

type Models = Settings<'MODEL_URL' | 'MODEL_PORT' | 'MODEL_DRIVER' | 'JUDGE_URL'>

/** True unless the local model runs elsewhere or a worker starts it on demand. */
export function runsLocalModel({ MODEL_URL, MODEL_PORT, MODEL_DRIVER, JUDGE_URL }: Models): boolean {
  const isOnDemand = MODEL_DRIVER === 'command' && (JUDGE_URL === undefined || JUDGE_URL === MODEL_URL)
  return MODEL_URL === `http://127.0.0.1:${MODEL_PORT}` && !isOnDemand
}

/** Without the log, a restored backup brings back what was deleted since. */
export function assertErasureLog(settings: Settings<'BROADSIDE_ENVIRONMENT' | 'ERASURE_LOG'>): void {
  if (settings.BROADSIDE_ENVIRONMENT === 'production' && settings.ERASURE_LOG === undefined)
    throw new SettingsError(
      'ERASURE_LOG must be set in production: without it, a restored backup brings back what was deleted since. See docs/runbooks/backup.md.',
    )
}

type Addresses = Settings<'BROADSIDE_ENVIRONMENT' | 'ACCOUNT_PAGE_URL' | 'DESK_URL'>

/** Hosts that show posts must not have cookies, and the host where staff sign in must not have owner cookies. */
export function assertOwnHosts(settings: Addresses, sites: readonly { baseUrl: string }[]): void {
  // Cookies and passkeys ignore ports. Outside production, everything runs on one machine, and only the ports differ.
  const part = settings.BROADSIDE_ENVIRONMENT === 'production' ? 'hostname' : 'host'
  const own = [settings.ACCOUNT_PAGE_URL, settings.DESK_URL].map((url) => new URL(url)[part])
  const others = new Set(sites.map(({ baseUrl }) => new URL(baseUrl)[part]))
  if (new Set(own).size < own.length || own.some((name) => others.has(name)))
    throw new SettingsError('ACCOUNT_PAGE_URL and DESK_URL must use different hosts, and no site can use either.')
}
