import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { fileVariable } from '../platform/settings/setting-files.ts'

/** The settings for this checkout's development services. `npm run dev` and `npm run up` write this file. */
export const developmentEnvironmentFile = new URL('../../.broadside/development.env', import.meta.url)

/**
 * The given environment. If neither BROADSIDE_ENVIRONMENT nor NODE_ENV=production is set, adds the settings in the
 * development file.
 */
export function environmentOf(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isNamed = given['BROADSIDE_ENVIRONMENT'] || given['BROADSIDE_ENVIRONMENT_FILE']
  const isDeployed = isNamed || given['NODE_ENV'] === 'production'
  if (isDeployed || !existsSync(developmentEnvironmentFile)) return given
  const settings = parseEnv(readFileSync(developmentEnvironmentFile, 'utf8'))
  // A setting has one form: a file that was given replaces the value for development.
  const kept = Object.entries(settings).filter(([name]) => !given[fileVariable(name)])
  return { ...Object.fromEntries(kept), ...given }
}
