import { execFile } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { codeOf, type Patience } from './check.ts'

const runFile = promisify(execFile)

export type Ran = { code: number; stdout: string; stderr: string }

/** Runs another program to its end, with four times the limit of a connection. Rejects if it cannot be started. */
export async function runProgram({ timeoutMs, environment }: Patience, command: readonly string[]): Promise<Ran> {
  const [program = '', ...args] = command
  const path = [environment['PATH'], '/usr/local/sbin', '/usr/sbin', '/sbin'].filter(Boolean).join(':')
  const env = { PATH: path, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' }
  try {
    const { stdout, stderr } = await runFile(program, args, {
      timeout: 4 * timeoutMs,
      env,
      cwd: '/',
      maxBuffer: 16_000_000,
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string }
    // setpriv says this if the program is missing.
    if (code === 127) throw Object.assign(new Error(`${program} is not installed`), { code: 'ENOENT' })
    if (typeof code === 'number') return { code, stdout, stderr }
    throw error
  }
}

export const isRoot = process.getuid?.() === 0

type User = { id: number; group: number }

/** Undefined if there is no such user. */
export function findUser(name: string): User | undefined {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
  const [, , id, group] = entry?.split(':') ?? []
  return entry === undefined ? undefined : { id: Number(id), group: Number(group) }
}

const isCurrent = (name: string) => findUser(name)?.id === process.getuid?.()

/** The same command as another user. Only root can do that; undefined if this user cannot. */
export function commandAs(user: string, command: readonly string[]): string[] | undefined {
  if (isCurrent(user)) return [...command]
  const group = findUser(user)?.group
  return isRoot ? ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--init-groups', ...command] : undefined
}

const accesses = {
  read: { flag: '-r', mode: constants.R_OK },
  write: { flag: '-w', mode: constants.W_OK },
  enter: { flag: '-x', mode: constants.X_OK },
}
type Access = keyof typeof accesses

/** Whether a user has this access to a path; undefined if only root can tell. */
export async function mayAccess(
  context: Patience,
  user: string,
  path: string,
  access: Access,
): Promise<boolean | undefined> {
  if (!isRoot && isCurrent(user)) return isAllowed(path, access)
  const command = commandAs(user, ['test', accesses[access].flag, path])
  return command && (await runProgram(context, command)).code === 0
}

function isAllowed(path: string, access: Access): boolean {
  try {
    accessSync(path, accesses[access].mode)
    return true
  } catch (error) {
    if (['EACCES', 'EROFS', 'ENOENT'].includes(codeOf(error))) return false
    throw error
  }
}
