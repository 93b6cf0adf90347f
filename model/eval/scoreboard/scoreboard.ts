import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import { policy } from '../../../src/policy/policy.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import type { AttackFigures } from '../attacks/attacks.ts'
import type { ObfuscationFigures } from '../attacks/obfuscation.ts'
import type { Share } from '../metrics.ts'
import type { Curves } from './curves.ts'
import { hashRules } from './hash-rules.ts'
import type { CategoryFigures, StageFigures } from './measure.ts'
import type { GroupFigures, ScenarioFigures, ScenarioName } from './scenarios.ts'

/** The versions that figures depend on. The figures do not apply to other versions. */
export type Basis = {
  policy_version: string
  model: { name: string; version: string }
  thresholds_version: string
  rules_version: string
}

/** Figures without their categories, which are in a separate list. */
export type Figures = Omit<StageFigures, 'categories'>

export type PartFigures = {
  rules_alone: Figures
  local_alone: Figures
  pipeline_without_judge: Figures
  pipeline_with_judge?: Figures
}

type Scenarios = Record<ScenarioName, ScenarioFigures>

export type BenchmarkFigure = { name: string; figure: string; value: number; low: number | null; high: number | null }

/** The file that the policy page and the transparency page read. */
export type Scoreboard = Basis & {
  set: { posts: number; sealed: number; hash: string }
  judge: { name: string; version: string } | null
  /**
   * The sealed posts, without which rules, weights and thresholds were made. These figures count.
   */
  sealed: PartFigures
  /** The open posts, which were looked at, so their figures are optimistic. */
  open: PartFigures
  /** The sealed posts, by account and judge. */
  sealed_scenarios: Scenarios
  /** The open posts, each scored by a model trained without its author. */
  left_out: { posts: number; authors: number; scenarios: Scenarios; groups: GroupFigures[]; curves: Curves }
  /** Figures for the sealed part, by rules and local model together. */
  categories: CategoryFigures[]
  attacks?: Section & {
    posts: number
    sealed: number
    published_without_judge: Share
    published_with_accepting_judge: Share
    wrappers: AttackFigures[]
  }
  obfuscation?: Section & { figures: ObfuscationFigures[] }
  benchmarks: BenchmarkFigure[]
  does_not_cover: string[]
  /** Depends on the machine and is not compared. */
  timing: { posts: number; milliseconds_p50: number; milliseconds_p95: number } | null
}

const path = join(repoDir, 'generated/moderation-scoreboard.json')

/** The committed figures; null if there are none. */
export const readScoreboard = (): Scoreboard | null =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Scoreboard) : null

/** The sets are too small for more than four decimals. */
const digits = 4

/** Writes the file with rounded numbers, so that the same figures give the same bytes. */
export function writeScoreboard(scoreboard: Scoreboard): void {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(digits)) : value
  writeFileSync(path, `${JSON.stringify(scoreboard, rounded, 2)}\n`)
}

/** The versions that new figures depend on. */
export const basisOf = ({ name, version }: { name: string; version: string }): Basis => ({
  policy_version: policy.version,
  model: { name, version },
  thresholds_version: thresholds.version,
  rules_version: hashRules(),
})

/** The names of the versions that differ; empty if the figures of one apply to the other. */
export function differences(one: Basis, other: Basis): string[] {
  const pairs: [string, string, string][] = [
    ['the policy', one.policy_version, other.policy_version],
    ['the local model', one.model.version, other.model.version],
    ['the thresholds', one.thresholds_version, other.thresholds_version],
    ['rules, canonical text or table', one.rules_version, other.rules_version],
  ]
  return pairs.filter(([, before, now]) => before !== now).map(([what, before, now]) => `${what} (${before} → ${now})`)
}

/** Like `differences`, but also compares the evaluation set. */
export function sectionDifferences(one: Section, other: Section): string[] {
  const set = one.set_hash === other.set_hash ? [] : [`the set (${one.set_hash} → ${other.set_hash})`]
  return [...differences(one, other), ...set]
}

/** Figures that another command adds, with their versions. */
export type Section = Basis & { set_hash: string }
const sections = ['attacks', 'obfuscation'] as const

/**
 * Adds one command's figures and drops those of other versions. Returns null if the main figures, which only
 * `moderation --write` creates, are missing or have another version.
 */
export function mergeScoreboard(fresh: Partial<Scoreboard>, before: Scoreboard | null, basis: Section) {
  const merged: Partial<Scoreboard> = { benchmarks: [], ...before, ...fresh }
  const restsOn = (one: Section) => sectionDifferences(one, basis).length === 0
  if (!isWhole(merged) || !restsOn({ ...merged, set_hash: merged.set.hash })) return null
  const dropped = sections.filter((name) => merged[name] && !restsOn(merged[name]))
  for (const name of dropped) delete merged[name]
  return { scoreboard: merged, dropped }
}

const isWhole = (scoreboard: Partial<Scoreboard>): scoreboard is Scoreboard => scoreboard.sealed !== undefined
