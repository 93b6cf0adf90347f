import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError } from './cli-error.ts'

/** What this machine remembers. */
export type SavedLogin = { base_url?: string; api_key?: string; listen_secret?: string }

type Environment = NodeJS.ProcessEnv

/** $XDG_CONFIG_HOME/broadside/credentials.json, by default under ~/.config; on Windows under %APPDATA%. */
export function credentialsPath(environment: Environment, platform: string = process.platform): string {
  const { XDG_CONFIG_HOME, APPDATA, HOME } = environment
  const home = HOME || homedir()
  const folder =
    platform === 'win32' ? APPDATA || join(home, 'AppData', 'Roaming') : XDG_CONFIG_HOME || join(home, '.config')
  return join(folder, 'broadside', 'credentials.json')
}

/** The saved login; empty if there is none. */
export function readLogin(environment: Environment): SavedLogin {
  const path = credentialsPath(environment)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return {}
    throw unusable(path, 'cannot be read')
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  throw unusable(path, 'is not a JSON object')
}

/** The same, but an unreadable file is no obstacle if the environment has all that it would. */
export function readUsefulLogin(environment: Environment): SavedLogin {
  try {
    return readLogin(environment)
  } catch (error) {
    if (isEnvironmentEnough(environment)) return {}
    throw error
  }
}

/** Whether the environment has both the address and the key. */
export const isEnvironmentEnough = ({ BROADSIDE_URL, BROADSIDE_API_KEY }: Environment): boolean =>
  Boolean(BROADSIDE_URL && BROADSIDE_API_KEY)

const unusable = (path: string, why: string) =>
  new CliError(`The saved login ${why}: ${path}`, {
    exit: 'failed',
    code: 'login_unreadable',
    advice: 'Correct or delete the file, then run `broadside login`.',
  })

/** Saves the login in a file that only the user can read. Replaces the file as a whole. Returns its path. */
export function saveLogin(environment: Environment, login: SavedLogin): string {
  const path = credentialsPath(environment)
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // A file that is left from before, or a link, must not get the key.
    rmSync(draft, { force: true })
    writeFileSync(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
    return path
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new CliError(`${path} cannot be written (${code}).`, {
      exit: 'failed',
      code: 'login_not_saved',
      advice: 'Correct the permissions of the folder, or set XDG_CONFIG_HOME to another one.',
    })
  } finally {
    removeDraft(draft)
  }
}

/** Only a draft whose content was not used is left to delete. */
function removeDraft(draft: string) {
  try {
    rmSync(draft, { force: true })
  } catch {
    // The error above says what is wrong with the folder.
  }
}

/** Whether other users can read the saved login. Windows has no such bits. */
export function isReadableByOthers(environment: Environment): boolean {
  try {
    return process.platform !== 'win32' && (statSync(credentialsPath(environment)).mode & 0o077) !== 0
  } catch {
    return false
  }
}
