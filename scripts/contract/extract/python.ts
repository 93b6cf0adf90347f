import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Contract } from '../contract.ts'

/** The public names of the Python client in each of these folders. Needs httpx, as the client does. */
export function readPython(folders: readonly string[]): Contract[] {
  const script = join(import.meta.dirname, 'surface.py')
  const output = execFileSync('/usr/bin/python3', [script, ...folders], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Contract)
}
