import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Thresholds, thresholdsFile, withCosts } from '../../../src/moderation/decisions/thresholds.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import { leftOutName } from '../../eval/scoreboard/left-out.ts'
import { manifestSchema } from '../../server/local/scoring/weights.ts'

/**
 * The file with the live thresholds. It belongs to the live weights, as a candidate's file belongs to the candidate.
 */
export const liveThresholds = join(repoDir, 'src/moderation/decisions/thresholds.json')
/** Next to the weights of a candidate. */
export const thresholdsName = 'thresholds.json'

/** The manifest is copied last: it lists the hashes of the others, so that a mix of old and new files is never used. */
const files = [leftOutName, ...Object.keys(manifestSchema.shape.files.shape), 'manifest.json']

/** Replaces the live weights with those of a candidate. */
export function installWeights(candidate: string, live: string): void {
  for (const file of files) copyFileSync(join(candidate, file), join(live, `${file}.new`))
  for (const file of files) renameSync(join(live, `${file}.new`), join(live, file))
}

/**
 * The thresholds for a candidate: its own for the scores of the local model, and the live ones for everything that does
 * not depend on the weights, which may have changed since the training.
 */
export function thresholdsOf(candidate: string, version: string, live: Thresholds): Thresholds {
  const path = join(candidate, thresholdsName)
  const again = 'Train it again: npm run train -- moderation --out DIR'
  if (!existsSync(path))
    throw new Error(`${path} is missing, and thresholds only fit the weights they were chosen for. ${again}`)
  const { model, local } = readThresholds(path)
  if (model !== version) throw new Error(`${path} was chosen for ${model}, but these weights are ${version}. ${again}`)
  return { ...live, model, local }
}

export const readThresholds = (path: string): Thresholds =>
  withCosts(thresholdsFile.parse(JSON.parse(readFileSync(path, 'utf8'))))

/** Written under another name first, so that no process reads a partial file. */
export function writeThresholds(path: string, thresholds: Thresholds): void {
  // Values that follow from the costs are not written.
  const { publish: _, publish_trusted: __, ...local } = thresholds.local
  writeFileSync(`${path}.new`, `${JSON.stringify(thresholdsFile.parse({ ...thresholds, local }), null, 2)}\n`)
  renameSync(`${path}.new`, path)
}

/** Replaces the thresholds at `path` and returns their version: the next one, unless nothing has changed. */
export function installThresholds(path: string, chosen: Thresholds, today: string): string {
  const before = readThresholds(path)
  if (isDeepStrictEqual({ ...chosen, version: before.version }, before)) return before.version
  const version = nextVersion(before.version, today)
  writeThresholds(path, { ...chosen, version })
  return version
}

/** `2026-11-16.2` is the second version of its day. */
function nextVersion(version: string, today: string): string {
  const [day, number] = version.split('.')
  return `${today}.${day === today ? Number(number) + 1 : 1}`
}
