import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program and returns what it printed. Fails with its last lines if it fails. */
export async function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const options = { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...environment } }
  try {
    const { stdout } = await execute(program, args, options)
    return stdout.trim()
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string }
    const last = `${stdout}\n${stderr}`.trim().split('\n').slice(-25).join('\n')
    throw new Error(`${program} ${args.join(' ')} failed:\n${last}`)
  }
}
