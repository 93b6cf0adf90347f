import { showProgress } from '../../src/bin/progress.ts'
import type { TextPart } from '../../src/contract/text-part.ts'
import { canonicalParts } from '../../src/moderation/canonicalise.ts'
import { decide } from '../../src/moderation/decision-table.ts'
import { readRules } from '../../src/moderation/judge-in-stages.ts'
import type { Opinion } from '../../src/moderation/opinion.ts'
import type { Thresholds } from '../../src/moderation/thresholds.ts'
import { policyCategoryIds } from '../../src/policy/policy.ts'
import type { EvalModel } from './open-model.ts'

/** What becomes of a post. */
export type Fate = 'published' | 'review' | 'rejected'
export const fates: readonly Fate[] = ['published', 'review', 'rejected']

/** The stages that are measured by themselves; the others say nothing then. */
export const stageNames = ['rules', 'local', 'judge', 'pipeline'] as const
export type StageName = (typeof stageNames)[number]

export type ToJudge = { kind: string; parts: readonly TextPart[] }

export type Judge = (post: ToJudge) => Promise<Opinion['judge']>

export type Observed<Post> = { post: Post; opinion: Opinion }

/** No name is measured, so that no figure depends on one. */
export const authorName = 'Ada'

/** Asks rules, local model and, if there is one, the judge about each post, as the worker does. */
export async function observePosts<Post extends ToJudge>(
  posts: readonly Post[],
  { model, judge, label }: { model: EvalModel; judge?: Judge | undefined; label?: string },
): Promise<Observed<Post>[]> {
  const observed: Observed<Post>[] = []
  const progress = label === undefined ? () => {} : showProgress(label)
  // A judge answers one post after another: the bar moves with it.
  const atOnce = Math.min(model.textsAtOnce, judge ? 4 : posts.length)
  while (observed.length < posts.length) {
    const batch = posts.slice(observed.length, observed.length + atOnce)
    observed.push(...(await observeBatch(batch, model, judge)))
    progress(observed.length, posts.length)
  }
  return observed
}

async function observeBatch<Post extends ToJudge>(
  posts: readonly Post[],
  model: EvalModel,
  judge: Judge | undefined,
): Promise<Observed<Post>[]> {
  const canonical = posts.map(({ kind, parts }) => ({ kind, parts: canonicalParts(parts) }))
  const [answers, readings] = await Promise.all([
    model.score(canonical.map(({ parts }) => textOf(parts))),
    Promise.all(canonical.map((post) => judge?.(post) ?? 'absent')),
  ])
  return posts.map((post, index) => {
    const [local, shadow] = [answers[index], canonical[index]]
    if (!local || !shadow) throw new Error('The local model gave too few answers.')
    const rules = readRules({ texts: shadow.parts, authorName }, post.parts)
    return { post, opinion: { rules, local, judge: readings[index] ?? 'failed' } }
  })
}

/** The texts of a post as the stages read them. */
export const textOf = (parts: readonly TextPart[]): string => parts.map(({ text }) => text).join('\n\n')

/** Nothing is seen. */
export const noScores = Object.fromEntries(policyCategoryIds.map((id) => [id, 0])) as Opinion['rules']['scores']
const silentRules: Opinion['rules'] = { scores: noScores, mentionsMinors: false }
const silentLocal: Opinion['local'] = { scores: noScores, overall: 0, judged: true }

/** The opinion with every other stage silent, so that one stage is held against the same table. */
export function onlyStage(opinion: Opinion, stage: StageName): Opinion {
  if (stage === 'pipeline') return opinion
  return {
    rules: stage === 'rules' ? opinion.rules : silentRules,
    local: stage === 'local' ? opinion.local : silentLocal,
    judge: stage === 'judge' ? opinion.judge : 'absent',
  }
}

/** What the table makes of an opinion, by the live thresholds unless others are given. */
export function fateOf(opinion: Opinion, thresholds?: Thresholds): Fate {
  const { outcome } = decide(opinion, thresholds)
  if (outcome === 'publish') return 'published'
  return outcome === 'review' ? 'review' : 'rejected'
}
