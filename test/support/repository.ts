import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** Every file that is committed or not ignored. */
export const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
export const read = (path: string) => readFileSync(join(root, path), 'utf8')
export type Import = { from: string; to: string; isTypeOnly: boolean }

export function importsOf(path: string): Import[] {
  const statements = read(path).matchAll(/^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gm)
  return [...statements].map((match) => ({ from: path, to: match[2] ?? match[3] ?? '', isTypeOnly: Boolean(match[1]) }))
}
