import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The settings for this checkout's development services. `npm run dev` and `npm run up` write this file. */
export const developmentEnvironmentFile = new URL('../../.broadside/development.env', import.meta.url)

/**
 * The given environment. If neither BROADSIDE_ENVIRONMENT nor NODE_ENV=production is set, adds the settings in the
 * development file.
 */
export function environmentOf(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isDeployed = given['BROADSIDE_ENVIRONMENT'] || given['NODE_ENV'] === 'production'
  if (isDeployed || !existsSync(developmentEnvironmentFile)) return given
  return { ...parseEnv(readFileSync(developmentEnvironmentFile, 'utf8')), ...given }
}
