import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { type Context, codeOf } from './probe.ts'

const runFile = promisify(execFile)

type Ran = { code: number; stdout: string; stderr: string }

export const isRoot = process.getuid?.() === 0

/** Runs another program to its end, with four times the limit of a connection. Rejects if it cannot be started. */
export async function run({ timeoutMs, environment }: Context, command: readonly string[]): Promise<Ran> {
  const [program = '', ...args] = command
  const PATH = [environment['PATH'], '/usr/local/sbin', '/usr/sbin', '/sbin'].filter(Boolean).join(':')
  const env = { PATH, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' }
  try {
    const options = { timeout: 4 * timeoutMs, env, cwd: '/', maxBuffer: 16_000_000 }
    return { code: 0, ...(await runFile(program, args, options)) }
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string }
    if (typeof code === 'number') return { code, stdout, stderr }
    throw error
  }
}

/** The same command as another user. Only root can do that; undefined if this user cannot. */
export function commandAs(user: string, command: readonly string[]): string[] | undefined {
  if (userInfo().username === user) return [...command]
  return isRoot ? ['runuser', '-u', user, '--', ...command] : undefined
}

/** Whether a user may read or write a path; undefined if only root can tell. */
export async function mayUse(context: Context, user: string, path: string, flag: '-r' | '-w') {
  const command = commandAs(user, ['test', flag, path])
  return command && (await run(context, command)).code === 0
}

/** The mode of a file, or why it has none. */
export function modeOf(path: string): number | 'ENOENT' | 'EACCES' {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode ?? 'ENOENT'
  } catch (error) {
    return codeOf(error) === 'EACCES' ? 'EACCES' : 'ENOENT'
  }
}
