import { credentialsPath, readLogin, saveLogin } from '../config.ts'
import type { Context } from '../context.ts'

export async function logout({ out, environment }: Context): Promise<void> {
  const { api_key, ...rest } = readLogin(environment)
  if (api_key) saveLogin(environment, rest)
  out.document({ logged_out: api_key !== undefined, path: credentialsPath(environment) })
  out.print(api_key ? 'Deleted the saved key from this machine. The key stays valid.' : 'No key was saved.')
  if (environment['BROADSIDE_API_KEY']) out.note('BROADSIDE_API_KEY is set and still in use.')
}
