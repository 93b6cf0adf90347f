import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir } from '../../../tooling/services/state.ts'

/**
 * The files besides the weights that determine decisions: the rules and their phrases, the canonical text, the
 * thresholds and the table. The thresholds also have a version, but someone may forget to change it.
 */
export const ruleFiles = [
  'src/moderation/pipeline/canonicalise.ts',
  'src/moderation/decisions/decision-table.ts',
  'src/moderation/rules',
  'src/moderation/decisions/thresholds.json',
  'src/policy/signals',
] as const

/** Twelve digits that change when one of these files does. Tests are excluded, because they do not affect decisions. */
export function hashRules(folder = repoDir): string {
  const hash = createHash('sha256')
  for (const path of ruleFiles.flatMap((one) => filesIn(folder, one)))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update('\0')
  return hash.digest('hex').slice(0, 12)
}

function filesIn(folder: string, path: string): string[] {
  if (!statSync(join(folder, path)).isDirectory()) return [path]
  const names = readdirSync(join(folder, path)).filter((name) => !name.endsWith('.test.ts'))
  return names.sort().map((name) => `${path}/${name}`)
}
