import { readFileSync } from 'node:fs'

/** A value of the environment, or what is wrong with it. Without both, the setting is not set. */
export type Given = { value?: string; fault?: string; code?: string }

/** The name of the variable with the path of a file that contains the setting. */
export const fileVariable = (name: string) => `${name}_FILE`

/**
 * Reads a setting from its variable, or from the file that `<NAME>_FILE` names. Files keep secrets out of the
 * environment, which child processes inherit. An empty variable counts as missing, and so does an empty file.
 */
export function readGiven(environment: NodeJS.ProcessEnv, name: string): Given {
  const [value, file] = [environment[name], environment[fileVariable(name)]]
  if (!file) return value ? { value } : {}
  if (value) return { fault: `set ${name} or ${fileVariable(name)}, not both` }
  try {
    const content = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return content === '' ? {} : { value: content }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return { fault: `cannot read the file ${file} of ${fileVariable(name)} (${code})`, code }
  }
}
