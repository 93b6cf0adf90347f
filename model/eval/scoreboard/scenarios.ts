import { createHash } from 'node:crypto'
import { decide } from '../../../src/moderation/decisions/decision-table.ts'
import { thresholds as shipped, type Thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import type { JudgeVerdict, Opinion } from '../../../src/moderation/pipeline/opinion.ts'
import type { EvalPost } from '../data/read-set.ts'
import { type Share, shareOf } from '../metrics.ts'
import type { Observed } from '../models/open-model.ts'

/** What the figures do not cover, in plain words. Published with them. */
export const doesNotCover = ({ hasJudge }: { hasJudge: boolean }): string[] => [
  'Languages other than English: about one post in ten is in one of 22, so the figures for a single language mean little. The local model judges 19 languages by word lists, and worse than English; all others go to the judge, or to a person.',
  ...(hasJudge
    ? []
    : ['A judge: no large language model was measured. All figures are for rules and local model alone.']),
  'Images, sounds, films and what a link leads to: only text is judged.',
  'Sexual content about minors: never measured, because no example of it is kept. Any sign of it goes to a person.',
  'Traffic: three in ten posts of the set break a rule, and a quarter of the others come close to one. Real posts do so less often.',
  'Rare ways to break a rule: the set is small. A difference within the intervals means nothing.',
  'Agreement: no second labelling was made, so how far people agree about the labels is not known.',
  'Attackers who try again and again: the attacks are fixed, known ones, tried once each.',
  'People: what they decide at the desk is counted on the page of numbers, not here.',
]

/** The error rates of the simulated judge: no real one was measured. */
export const simulatedJudge = { false_alarms: 0.03, misses: 0.05 } as const

type Scenario = { judge: (post: EvalPost) => Opinion['judge']; standing: 'new' | 'trusted' }

const accepting: JudgeVerdict = { verdict: 'accept', category: null, score: 0.99 }

/** The kind of account, and the judge. */
export const scenarios = {
  new_account: { judge: () => 'absent', standing: 'new' },
  trusted_account: { judge: () => 'absent', standing: 'trusted' },
  /** For violating posts, this is a compromised judge. */
  accepting_judge: { judge: () => accepting, standing: 'new' },
  simulated_judge: { judge: simulate, standing: 'new' },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios
export const scenarioNames = Object.keys(scenarios) as ScenarioName[]

/** Errs by the id of the post, so that each run gives the same figures. */
function simulate({ id, violating, category }: EvalPost): JudgeVerdict {
  const draw = createHash('sha256').update(`judge ${id}`).digest().readUInt32BE() / 2 ** 32
  const isWrong = draw < (violating ? simulatedJudge.misses : simulatedJudge.false_alarms)
  if (violating === isWrong) return accepting
  return { verdict: 'reject', category: category ?? 'spam', score: 0.9 }
}

export type ScenarioFigures = {
  /** Harmless posts sent to review. */
  harmless_review: Share | null
  harmless_rejected: Share | null
  violating_published: Share | null
}

export function measureScenario(
  observed: readonly Observed<EvalPost>[],
  name: ScenarioName,
  thresholds: Thresholds = shipped,
): ScenarioFigures {
  const { judge, standing } = scenarios[name]
  const outcomes = observed.map(({ post, opinion }) => ({
    post,
    outcome: decide({ ...opinion, judge: judge(post) }, thresholds, standing).outcome,
  }))
  const harmless = outcomes.filter(({ post }) => !post.violating)
  const violating = outcomes.filter(({ post }) => post.violating)
  return {
    harmless_review: shareOf(harmless.map(({ outcome }) => outcome === 'review')),
    harmless_rejected: shareOf(harmless.map(({ outcome }) => outcome === 'abuse' || outcome === 'low_quality')),
    violating_published: shareOf(violating.map(({ outcome }) => outcome === 'publish')),
  }
}

export const measureScenarios = (observed: readonly Observed<EvalPost>[]) =>
  Object.fromEntries(scenarioNames.map((name) => [name, measureScenario(observed, name)])) as Record<
    ScenarioName,
    ScenarioFigures
  >

/** How posts are grouped to see which ones wait most. */
const groups: Record<string, (post: EvalPost) => string> = {
  author: ({ author }) => author,
  kind: ({ kind }) => kind,
  length: (post) => lengthOf(post),
  language: ({ language }) => (language === 'en' ? 'English' : 'other languages'),
  nearness: ({ near, violating }) => (violating ? 'violating' : near ? 'near a rule' : 'far from rules'),
}

function lengthOf({ parts }: EvalPost): string {
  const words = parts.map(({ text }) => text.split(/\s+/).length).reduce((sum, count) => sum + count, 0)
  if (words < 25) return 'under 25 words'
  return words <= 60 ? '25 to 60 words' : 'over 60 words'
}

export type GroupFigures = { by: string; group: string; posts: number } & Pick<
  ScenarioFigures,
  'harmless_review' | 'violating_published'
>

/** The figures of new accounts without a judge, by group. */
export function measureGroups(observed: readonly Observed<EvalPost>[]): GroupFigures[] {
  return Object.entries(groups).flatMap(([by, groupOf]) =>
    [...Map.groupBy(observed, ({ post }) => groupOf(post))]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([group, own]) => {
        const { harmless_review, violating_published } = measureScenario(own, 'new_account')
        return { by, group, posts: own.length, harmless_review, violating_published }
      }),
  )
}
