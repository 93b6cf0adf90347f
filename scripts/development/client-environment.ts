import { join } from 'node:path'
import { sites } from '../../tooling/services/development.ts'
import { stateDir } from '../../tooling/services/state.ts'

/** For the command line of this checkout: the development service, and a login apart from the user's own. */
export function clientEnvironment() {
  return {
    ...process.env,
    BROADSIDE_URL: process.env['BROADSIDE_URL'] || String(sites[0]?.baseUrl),
    XDG_CONFIG_HOME: join(stateDir(), 'client'),
  }
}
