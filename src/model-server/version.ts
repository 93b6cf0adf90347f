import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const modelName = 'broadside-simple'

const source = join(import.meta.dirname, '..')

/** All that a judgement follows from. */
const folders = ['model-server', 'policy/categories', 'policy/signals']

/** Changes with every change of the lists, the examples and the code: each decision records it. */
export const modelVersion = versionOf(
  folders.flatMap((folder) =>
    readdirSync(join(source, folder))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .sort()
      .map((name) => readFileSync(join(source, folder, name), 'utf8')),
  ),
)

export function versionOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12)
}
