import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Contract } from '../contract.ts'

/** The public names of the Python client whose sources are in `folder`. Needs httpx, as the client does. */
export function readPython(folder: string): Contract {
  const script = join(import.meta.dirname, 'surface.py')
  const output = execFileSync('/usr/bin/python3', [script, folder], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(output) as Contract
}
