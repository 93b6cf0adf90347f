import { join } from 'node:path'
import { learntCategories } from '../../src/model-server/local/local-model.ts'
import { readWeights } from '../../src/model-server/local/weights.ts'
import { decide, readOpinion } from '../../src/moderation/decision-table.ts'
import { readRules } from '../../src/moderation/judge-in-stages.ts'
import type { CategoryScores, Opinion } from '../../src/moderation/opinion.ts'
import { thresholds as shipped, type Thresholds } from '../../src/moderation/thresholds.ts'
import { authorName, noScores } from '../eval/observe.ts'
import { installThresholds, liveThresholds, thresholdsName, writeThresholds } from './install-model.ts'
import type { Unseen } from './learn-overall.ts'

/** Below the bar of one in ten, since the sealed posts will differ. */
const mostMissed = 0.07
/** Of posts that come near no rule: more of them must not be held against a judge's word. */
const mostCleanSuspected = 0.05
const steps = Array.from({ length: 99 }, (_, index) => (index + 1) / 100)

type Judged = { isViolating: boolean; isClean: boolean; opinion: Opinion }

/**
 * Chooses by what would be missed, on open posts as models see them that were trained without them: the highest threshold
 * to publish, and the lowest to suspect, that keep what they promise. The sealed posts are not looked at.
 * They are written beside the weights, and those of the shipped weights to where they are live.
 */
export async function chooseThresholds(
  unseen: readonly Unseen[],
  { directory, isShipped }: { directory: string; isShipped: boolean },
): Promise<void> {
  const judged = unseen.map(judge)
  const violating = judged.filter(({ isViolating }) => isViolating)
  const harmless = judged.filter(({ isViolating }) => !isViolating)
  const clean = judged.filter(({ isClean }) => isClean)
  const missed = (step: number) => share(violating, ({ opinion }) => decide(opinion, at(step)).outcome === 'publish')
  const held = (those: readonly Judged[], step: number) =>
    share(those, ({ opinion }) => decide(opinion, at(step)).outcome === 'review')
  const suspected = (those: readonly Judged[], step: number) =>
    share(those, ({ opinion }) => readOpinion(opinion, at(0, step)).local === 'suspects')
  const publish = steps.findLast((step) => missed(step) <= mostMissed) ?? 0.01
  const suspect = Math.max(publish, steps.find((step) => suspected(clean, step) <= mostCleanSuspected) ?? 0.99)
  console.log('        missed   to a person: harmless, clean   suspected: violating, harmless, clean')
  for (const step of new Set([...steps.filter((_, index) => index % 5 === 4), publish, suspect].sort()))
    console.log(
      [step.toFixed(2), missed(step), held(harmless, step), held(clean, step)]
        .concat([violating, harmless, clean].map((those) => suspected(those, step)))
        .map((value) => (typeof value === 'string' ? value : `${(value * 100).toFixed(1)} %`).padStart(8))
        .join('  '),
    )
  console.log(`publish below ${publish}, suspect from ${suspect}`)
  const { version: model } = await readWeights(directory)
  const chosen = { ...shipped, model, local: { ...shipped.local, publish, suspect } }
  if (!isShipped) return writeThresholds(join(directory, thresholdsName), chosen)
  const version = installThresholds(liveThresholds, chosen, new Date().toISOString().slice(0, 10))
  console.log(`src/moderation/thresholds.json has version ${version}.`)
}

function judge({ post, probabilities, overall }: Unseen): Judged {
  const learnt = Object.fromEntries(learntCategories.map((id, index) => [id, probabilities[index] ?? 0]))
  return {
    isViolating: post.isViolating,
    isClean: post.id?.startsWith('clean-') ?? false,
    opinion: {
      rules: readRules({ texts: [{ field: 'text', text: post.text }], authorName }),
      local: { scores: { ...noScores, ...learnt } as CategoryScores, overall, judged: true },
      judge: 'absent',
    },
  }
}

const share = (judged: readonly Judged[], holds: (one: Judged) => boolean) =>
  judged.length === 0 ? 0 : judged.filter(holds).length / judged.length

const at = (publish: number, suspect = 1): Thresholds => ({
  ...shipped,
  local: { ...shipped.local, publish, suspect: Math.max(publish, suspect) },
})
