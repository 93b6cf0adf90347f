import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { showProgress } from '../../../src/bin/progress.ts'
import type { TextPart } from '../../../src/contract/text/text.ts'
import { decide } from '../../../src/moderation/decisions/decision-table.ts'
import type { Thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import { canonicalParts } from '../../../src/moderation/pipeline/canonicalise.ts'
import { readRules } from '../../../src/moderation/pipeline/judge-in-stages.ts'
import type { Opinion } from '../../../src/moderation/pipeline/opinion.ts'
import { policyCategoryIds } from '../../../src/policy/policy.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import { answerTexts } from '../../server/local/answer-texts.ts'
import { compareWith, openComparison } from '../../server/local/encoder/compare.ts'
import { cutText, prepareText } from '../../server/local/features/prepare-text.ts'
import type { LocalModel } from '../../server/local/local-model.ts'
import { openLocalModel } from '../../server/local/open-local-model.ts'
import { scoreParts } from '../../server/local/scoring/score.ts'
import { readWeights } from '../../server/local/scoring/weights.ts'
import { embedTexts, partsOf } from '../embeddings/embed-texts.ts'

/** The outcome of a post. */
export type Fate = 'published' | 'review' | 'rejected'
export const fates: readonly Fate[] = ['published', 'review', 'rejected']

/** The stages that are measured alone, without the opinions of the others. */
export const stageNames = ['rules', 'local', 'judge', 'pipeline'] as const
export type StageName = (typeof stageNames)[number]

export type ToJudge = { kind: string; parts: readonly TextPart[] }

export type Judge = (post: ToJudge) => Promise<Opinion['judge']>

export type Observed<Post> = { post: Post; opinion: Opinion }

/** Author names are not measured, so that no figure depends on one. */
export const authorName = 'Ada'

/**
 * Gets the opinions of the rules, the local model and, if configured, the judge about each post, as the worker does.
 */
export async function observePosts<Post extends ToJudge>(
  posts: readonly Post[],
  { model, judge, label }: { model: EvalModel; judge?: Judge | undefined; label?: string },
): Promise<Observed<Post>[]> {
  const observed: Observed<Post>[] = []
  const progress = label === undefined ? () => {} : showProgress(label)
  // A judge handles one post at a time, so the progress bar counts single posts.
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
    if (!local || !shadow) throw new Error('The local model returned too few results.')
    const rules = readRules({ texts: shadow.parts, authorName }, post.parts)
    return { post, opinion: { rules, local, judge: readings[index] ?? 'failed' } }
  })
}

/** The texts of a post as the stages read them. */
export const textOf = (parts: readonly TextPart[]): string => parts.map(({ text }) => text).join('\n\n')

/** The scores of a stage that detects nothing. */
export const noScores = Object.fromEntries(policyCategoryIds.map((id) => [id, 0])) as Opinion['rules']['scores']
const silentRules: Opinion['rules'] = { scores: noScores, mentionsMinors: false }
const silentLocal: Opinion['local'] = { scores: noScores, overall: 0, judged: true }

/** The opinion without the other stages, so that one stage is measured with the same table. */
export function onlyStage(opinion: Opinion, stage: StageName): Opinion {
  if (stage === 'pipeline') return opinion
  return {
    rules: stage === 'rules' ? opinion.rules : silentRules,
    local: stage === 'local' ? opinion.local : silentLocal,
    judge: stage === 'judge' ? opinion.judge : 'absent',
  }
}

/** The table's decision for an opinion, with the live thresholds by default. */
export function fateOf(opinion: Opinion, thresholds?: Thresholds): Fate {
  const { outcome } = decide(opinion, thresholds)
  if (outcome === 'publish') return 'published'
  return outcome === 'review' ? 'review' : 'rejected'
}

/** A model and its preferred batch size. */
export type EvalModel = LocalModel & { textsAtOnce: number }

const shippedDirectory = join(repoDir, 'model/weights/local')

/** The number of cores of the CI machine. */
const threads = 2

/** The model as the model server runs it, without cached results. */
export async function openServedModel(directory = shippedDirectory): Promise<EvalModel> {
  // Large enough to use all threads, small enough to show progress.
  return Object.assign(await openLocalModel({ threads, directory: resolve(directory) }), { textsAtOnce: 32 })
}

/**
 * The same code and weights, with vectors cached by training and earlier runs, because experiments with weights or
 * thresholds measure the same texts repeatedly. An ONNX model has no such vectors and computes everything again.
 */
export const openModel = (directory = shippedDirectory): Promise<EvalModel> =>
  existsSync(join(directory, 'model.onnx'))
    ? openServedModel(directory)
    : openOverVectors(directory, (texts) => texts.flatMap(partsOf), answerTexts)

/** The same weights, but each text is read once as a whole, to measure what sentences and windows contribute. */
export const openWholeTextModel = (directory?: string): Promise<EvalModel> =>
  openOverVectors(
    directory,
    (texts) => texts.map(wholeOf),
    async (weights, encode, texts) => {
      const encoded = await encode(texts.map(wholeOf))
      return texts.map((text, index) => ({
        ...scoreParts(weights, { parts: [wholeOf(text)], language: 'english' }, encoded.slice(index, index + 1)),
        judged: true,
      }))
    },
  )

const wholeOf = (text: string) => cutText(prepareText(text))

async function openOverVectors(
  directory = shippedDirectory,
  toEmbed: (texts: readonly string[]) => string[],
  answer: typeof answerTexts,
): Promise<EvalModel> {
  const { name, version, weights } = await readWeights(resolve(directory))
  const compare = await openComparison(weights.kernel)
  return {
    name,
    version,
    textsAtOnce: Number.POSITIVE_INFINITY,
    async score(texts) {
      // A text in another language is embedded only as a whole, and the whole text is not one of the listed parts.
      const vectors = await embedTexts([...toEmbed(texts), ...texts.map(wholeOf)])
      const encode = compareWith(compare, async (parts) => parts.map(vectors.of))
      return answer(weights, encode, texts)
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** A model that detects nothing, for measuring the rules alone. */
export const silentModel = (): EvalModel => ({
  name: 'none',
  version: '',
  textsAtOnce: Number.POSITIVE_INFINITY,
  score: async (texts) => texts.map(() => ({ scores: noScores, overall: 0, judged: true })),
  async [Symbol.asyncDispose]() {},
})
