import { createHash } from 'node:crypto'
import { decide } from '../../../src/moderation/decisions/decision-table.ts'
import { thresholds as shipped, type Thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import type { JudgeVerdict, Opinion } from '../../../src/moderation/pipeline/opinion.ts'
import type { EvalPost } from '../data/read-set.ts'
import { type Share, shareOf } from '../metrics.ts'
import type { Observed } from '../models/open-model.ts'

/** What the figures do not cover, in plain words. It is published with them. */
export const doesNotCover = ({ hasJudge }: { hasJudge: boolean }): string[] => [
  'Languages other than English: about one post in ten is in one of 22, so the figures for a single language mean little. The local model judges 19 languages by word lists, less accurately than English. Posts in all other languages go to the judge or to a person.',
  ...(hasJudge
    ? []
    : ['Judges: no large language model was measured. All figures are for rules and local model alone.']),
  'Images, audio, video and linked pages: only text is judged.',
  'Sexual content about minors: not measured, because we keep no examples. Any post with signs of it goes to a person.',
  'Real traffic: three in ten posts in the set break a rule, and a quarter of the others come close to one. Real posts do so less often.',
  'Rare ways to break a rule: the set is small. A difference within the intervals means nothing.',
  'Agreement: nobody labelled the posts a second time, so we do not know how often people agree on the labels.',
  'Attackers who try repeatedly: the attacks are fixed and known, and each is tried once.',
  'People: the transparency page counts their decisions; these figures do not.',
]

/** The error rates of the simulated judge. No real judge was measured. */
export const simulatedJudge = { false_alarms: 0.03, misses: 0.05 } as const

type Scenario = { judge: (post: EvalPost) => Opinion['judge']; standing: 'new' | 'trusted' }

const accepting: JudgeVerdict = { verdict: 'accept', category: null, score: 0.99 }

/** The type of account, and the judge. */
export const scenarios = {
  new_account: { judge: () => 'absent', standing: 'new' },
  trusted_account: { judge: () => 'absent', standing: 'trusted' },
  /** For violating posts, this simulates a compromised judge. */
  accepting_judge: { judge: () => accepting, standing: 'new' },
  simulated_judge: { judge: simulate, standing: 'new' },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios
export const scenarioNames = Object.keys(scenarios) as ScenarioName[]

/** The post's id determines whether the judge errs, so that each run gives the same figures. */
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

/** How posts are grouped, to show which ones wait most often. */
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

/** The figures for new accounts without a judge, by group. */
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
