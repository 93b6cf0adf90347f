import assert from 'node:assert/strict'
import { spawnNode } from '../../tooling/environment/processes.ts'

/** The module that reads the arguments: broadside.ts only imports it, which happens once in a process. */
const program = new URL('../../src/bin/startup/main.ts', import.meta.url).href

export type Help = { code: number; text: string }

/** The program runs again for each command, but its imports load once: forty processes would load them forty times. */
const script = `
const [program, commands] = process.argv.slice(1)
const helps = []
const print = process.stdout.write
for (const [index, words] of JSON.parse(commands).entries()) {
  let text = ''
  process.argv = [process.execPath, program, ...words, '--help']
  process.exitCode = 0
  process.stdout.write = (part) => { text += part; return true }
  await import(program + '?' + index)
  while (text === '' && process.exitCode === 0) await new Promise(setImmediate)
  process.stdout.write = print
  helps.push({ code: process.exitCode, text })
}
process.exitCode = 0
print.call(process.stdout, JSON.stringify(helps))
`

/** The output of each of these commands with --help, one after another in one process. */
export async function explainAll(commands: readonly (readonly string[])[]): Promise<Help[]> {
  const args = ['--input-type=module', '--eval', script, program, JSON.stringify(commands)]
  await using running = spawnNode({ BROADSIDE_ENVIRONMENT: 'test' }, args)
  assert.equal(await running.ended, 0, running.output.stderr)
  return JSON.parse(running.output.stdout)
}
