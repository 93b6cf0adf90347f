import type { Standing } from '../../accounts/trust/assess-trust.ts'
import { isAbusive, type PolicyCategoryId, policy } from '../../policy/policy.ts'
import type { JudgeVerdict, LocalModelAnswer, Opinion, RulesAnswer } from '../pipeline/opinion.ts'
import { publishBelow, violationCost } from './costs.ts'
import { thresholds as shipped, type Thresholds } from './thresholds.ts'

export type Verdict = {
  /** The row of the table that decided. */
  row: string
  /** The share of such posts that a person audits, beside those that are audited anyway. */
  sample?: number
} & (
  | { outcome: 'publish' }
  | { outcome: 'low_quality' }
  | { outcome: 'abuse'; category: PolicyCategoryId }
  | { outcome: 'review'; category: PolicyCategoryId | null }
)

/** What each stage says, as far as the table asks. */
export type StageReadings = {
  rules: 'silent' | 'doubt' | 'poor' | 'hit'
  local: 'clean' | 'between' | 'suspects' | 'cannot_judge'
  judge: 'accepts' | 'accepts_in_part' | 'doubts' | 'refuses_quality' | 'refuses_abuse' | 'failed' | 'absent'
  /** The rules or the local model name the category that the judge refuses for. */
  agreed: boolean
  /** Some stage sees something sexual, and something about minors. */
  minors: boolean
  /** The author is trusted, and the local model's doubt is small enough for that. */
  trusted: boolean
}

type Row = {
  id: string
  when: {
    [Stage in keyof StageReadings]?: StageReadings[Stage] extends boolean ? boolean : readonly StageReadings[Stage][]
  }
  outcome: Verdict['outcome']
  sample?: keyof Thresholds['sample']
}

/**
 * The first row that fits decides. Decisions §6: a ten-fold charge and a strike need the judge, and the rules or the
 * local model, that name the same category; one stage alone publishes, refuses as low quality, or asks a person.
 */
export const decisionTable: readonly Row[] = [
  { id: 'minors', when: { minors: true }, outcome: 'review' },
  { id: 'judge_failed', when: { judge: ['failed'] }, outcome: 'review' },
  { id: 'judge_doubts', when: { judge: ['doubts'] }, outcome: 'review' },
  { id: 'two_stages_refuse', when: { judge: ['refuses_abuse'], agreed: true }, outcome: 'abuse' },
  { id: 'judge_refuses_alone', when: { judge: ['refuses_abuse'] }, outcome: 'review' },
  { id: 'rule_hit', when: { rules: ['hit'] }, outcome: 'review' },
  {
    id: 'trusted_author',
    when: { trusted: true, rules: ['silent'], judge: ['absent', 'accepts', 'accepts_in_part'] },
    outcome: 'publish',
    sample: 'trusted',
  },
  { id: 'local_suspects', when: { local: ['suspects'] }, outcome: 'review' },
  { id: 'judge_finds_poor', when: { judge: ['refuses_quality'] }, outcome: 'low_quality' },
  { id: 'rule_finds_poor', when: { rules: ['poor'] }, outcome: 'low_quality' },
  { id: 'rule_doubts', when: { rules: ['doubt'] }, outcome: 'review' },
  { id: 'judge_accepts', when: { judge: ['accepts', 'accepts_in_part'], local: ['clean'] }, outcome: 'publish' },
  { id: 'judge_accepts_in_doubt', when: { judge: ['accepts'] }, outcome: 'publish', sample: 'accepted_in_doubt' },
  { id: 'local_alone_clean', when: { local: ['clean'] }, outcome: 'publish' },
  { id: 'local_alone_in_doubt', when: {}, outcome: 'review' },
]

/** What happens to the post. A trusted author's is published where a new author's would go to a person, and nothing else differs. */
export function decide(opinion: Opinion, thresholds: Thresholds = shipped, standing: Standing = 'new'): Verdict {
  const reading = readOpinion(opinion, thresholds, standing)
  const row = decisionTable.find(({ when }) => fits(when, reading)) as Row
  const category = categoryOf(opinion, row, thresholds)
  const sample = row.sample ? { sample: thresholds.sample[row.sample] } : {}
  if (row.outcome === 'publish' || row.outcome === 'low_quality')
    return { row: row.id, outcome: row.outcome, ...sample }
  if (row.outcome === 'abuse' && category !== null) return { row: row.id, outcome: 'abuse', category }
  return { row: row.id, outcome: 'review', category }
}

/**
 * What the rules decide alone, before a model is asked: low quality that is certain costs no time of the model and no
 * money. A post that may be abusive or mentions minors is not decided so.
 */
export function decideByRules(rules: RulesAnswer, thresholds: Thresholds = shipped): Verdict | null {
  if (readRules(rules, thresholds) !== 'poor' || rules.mentionsMinors) return null
  return { row: 'rule_finds_poor', outcome: 'low_quality' }
}

function fits(when: Row['when'], reading: StageReadings): boolean {
  return Object.entries(when).every(([stage, wanted]) => {
    const read = reading[stage as keyof StageReadings]
    return Array.isArray(wanted) ? wanted.includes(read) : wanted === read
  })
}

/** Each stage's answer as one word. */
export function readOpinion(
  { rules, local, judge }: Opinion,
  thresholds: Thresholds = shipped,
  standing: Standing = 'new',
): StageReadings {
  const named = typeof judge === 'string' ? null : judge.category
  return {
    rules: readRules(rules, thresholds),
    local: readLocal(local, thresholds),
    judge: typeof judge === 'string' ? judge : readJudge(judge, thresholds),
    agreed: named !== null && isNamed(named, { rules, local }, thresholds),
    minors: concernsMinors({ rules, local, judge }, thresholds),
    trusted: standing === 'trusted' && isSlightDoubt(local, thresholds),
  }
}

function readRules({ scores }: RulesAnswer, { rules }: Thresholds): StageReadings['rules'] {
  const isHit = policy.categories.some(({ id, abusive }) => abusive && scores[id] >= rules.hint)
  if (isHit) return 'hit'
  if (scores.low_quality >= rules.certain) return 'poor'
  return scores.low_quality >= rules.hint ? 'doubt' : 'silent'
}

function readLocal(answer: LocalModelAnswer, thresholds: Thresholds): StageReadings['local'] {
  const { local } = thresholds
  const { overall, judged, known = true } = answer
  // What it cannot judge, it has no opinion of as a whole.
  if (suspectsCategory(answer, local) || (judged && overall >= local.suspect)) return 'suspects'
  if (!judged) return 'cannot_judge'
  // Of other weights nobody has chosen what is low enough.
  return known && overall < limitOf(answer, thresholds, 'new') ? 'clean' : 'between'
}

const suspectsCategory = ({ scores }: LocalModelAnswer, { suspect_category }: Thresholds['local']) =>
  policy.categories.some(({ id, abusive }) => abusive && scores[id] >= suspect_category)

/** More than a new author's post may have, and not more than a trusted author's may. */
function isSlightDoubt(answer: LocalModelAnswer, thresholds: Thresholds): boolean {
  const { overall, judged, known = true } = answer
  const isBetween = overall >= limitOf(answer, thresholds, 'new') && overall < limitOf(answer, thresholds, 'trusted')
  return judged && known && isBetween && !suspectsCategory(answer, thresholds.local)
}

/** What the probability must stay below: less where the categories that the model thinks of cost more. */
function limitOf({ scores }: LocalModelAnswer, { costs, local }: Thresholds, standing: Standing): number {
  const cost = violationCost(costs, scores)
  if (cost === costs.published_violation.default) return standing === 'new' ? local.publish : local.publish_trusted
  return publishBelow(costs, standing, cost)
}

function readJudge(
  { verdict, category, score, coversAll = true }: JudgeVerdict,
  { judge }: Thresholds,
): StageReadings['judge'] {
  if (score < judge.least_sure || verdict === 'review') return 'doubts'
  if (verdict === 'accept') return coversAll ? 'accepts' : 'accepts_in_part'
  if (category === null) return 'doubts'
  return isAbusive(category) ? 'refuses_abuse' : 'refuses_quality'
}

/** The scores of a text that the local model cannot judge mean nothing: no strike may rest on them. */
const isNamed = (id: PolicyCategoryId, { rules, local }: Pick<Opinion, 'rules' | 'local'>, thresholds: Thresholds) =>
  rules.scores[id] >= thresholds.rules.hint || (local.judged && local.scores[id] >= thresholds.local.agree)

/** A person, never a machine, decides about what may concern minors. */
function concernsMinors({ rules, local, judge }: Opinion, thresholds: Thresholds): boolean {
  const named = typeof judge === 'string' ? null : judge.category
  const isSexual =
    named === 'sexual' || rules.scores.sexual >= thresholds.rules.hint || local.scores.sexual >= thresholds.local.minors
  return (
    named === 'sexual_minors' ||
    rules.scores.sexual_minors >= thresholds.rules.hint ||
    local.scores.sexual_minors >= thresholds.local.minors ||
    (isSexual && rules.mentionsMinors)
  )
}

/** What whoever reviews looks at first: minors, then what the judge named, the rules hit, the local model suspects. */
function categoryOf(opinion: Opinion, row: Row, thresholds: Thresholds): PolicyCategoryId | null {
  if (row.id === 'minors') return 'sexual_minors'
  const { rules, local, judge } = opinion
  if (typeof judge !== 'string' && judge.verdict !== 'accept' && isAbusive(judge.category)) return judge.category
  const highest = (scores: RulesAnswer['scores'], from: number) =>
    policy.categories
      .filter(({ id }) => scores[id] >= from)
      .sort((one, other) => Number(other.abusive) - Number(one.abusive) || scores[other.id] - scores[one.id])[0]?.id
  return (
    highest(rules.scores, thresholds.rules.hint) ??
    highest(local.scores, thresholds.local.agree) ??
    (typeof judge === 'string' ? null : judge.category)
  )
}
