import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Written by `npm run dev` and `npm run up`: where the development services of this checkout are. */
export const developmentEnvironmentFile = new URL('../../.broadside/development.env', import.meta.url)

/** The environment as given; a checkout in development without one uses what its own services wrote down. */
export function environmentOf(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (given['BROADSIDE_ENVIRONMENT'] || !existsSync(developmentEnvironmentFile)) return given
  return { ...parseEnv(readFileSync(developmentEnvironmentFile, 'utf8')), ...given }
}
