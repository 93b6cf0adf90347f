import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Written by `npm run dev` and `npm run up`: the development services of this checkout. */
export const developmentEnvironmentFile = new URL('../../.broadside/development.env', import.meta.url)

/** The given environment; in development, a checkout without one uses the file that its services wrote. */
export function environmentOf(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (given['BROADSIDE_ENVIRONMENT'] || !existsSync(developmentEnvironmentFile)) return given
  return { ...parseEnv(readFileSync(developmentEnvironmentFile, 'utf8')), ...given }
}
