import type { Settings } from '../../platform/settings/settings.ts'
import { policy, policyCategoryIds } from '../../policy/policy.ts'
import { readCosts } from '../decisions/costs.ts'
import { decideByRules } from '../decisions/decision-table.ts'
import { type Thresholds, thresholds, withCosts } from '../decisions/thresholds.ts'
import { askJudge, type JudgeOptions, judgeOptions, judgeSettings } from '../judge/ask-judge.ts'
import { askLocalModel, type LocalOpinion, type LocalOptions } from '../model-client/ask-local-model.ts'
import { ModelError } from '../model-client/model-service.ts'
import { applyRules, mentionsMinors } from '../rules/apply-rules.ts'
import { isDisguised } from '../rules/disguise.ts'
import { canonicalise, canonicalParts } from './canonicalise.ts'
import type { CategoryScores, Opinion, PostToJudge, RulesAnswer } from './opinion.ts'

export const stageSettings = ['MODEL_URL', 'MODEL_API_KEY', 'MODEL_NAME', 'MODERATION_COSTS', ...judgeSettings] as const

export type StageOptions = {
  local: LocalOptions
  /** Null if there is no judge. The rows of the decision table that need no judge then apply. */
  judge: JudgeOptions | null
  /** The thresholds for the decision table; the bundled ones if omitted. */
  thresholds?: Thresholds | undefined
  /** Cancels all requests. */
  signal?: AbortSignal | undefined
}

export const stageOptions = (settings: Settings<(typeof stageSettings)[number]>): StageOptions => ({
  local: {
    url: settings.MODEL_URL,
    name: settings.MODEL_NAME,
    apiKey: settings.MODEL_API_KEY,
    timeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000,
  },
  judge: judgeOptions(settings),
  ...(settings.MODERATION_COSTS !== undefined && {
    thresholds: withCosts(thresholds, readCosts(settings.MODERATION_COSTS, thresholds.costs)),
  }),
})

/** An opinion and the models behind it. `model` is null if the rules decided alone and no model was called. */
export type StagedOpinion = Opinion & {
  model: string | null
  version: string | null
}

/** The judge gave no valid response. `rest` has the findings of the other stages. */
export class JudgeError extends ModelError {
  readonly rest: StagedOpinion

  constructor({ kind, message, cause }: ModelError, rest: StagedOpinion) {
    super(kind, message, cause)
    this.rest = rest
  }
}

/**
 * Runs every stage on the canonical copy of a post, but skips the models if the rules alone decide. Throws a ModelError
 * if a model is down, slow, or sends an invalid response.
 */
export async function judgeInStages(options: StageOptions, post: PostToJudge): Promise<StagedOpinion> {
  const canonical = { kind: post.kind, authorName: canonicalise(post.authorName), texts: canonicalParts(post.texts) }
  const rules = readRules(canonical, post.texts)
  if (decideByRules(rules)) return rulesAlone(rules)
  const givenUp = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, givenUp.signal]) : givenUp.signal
  try {
    const judging = options.judge && askJudge({ ...options.judge, signal }, canonical).catch((error) => error as Error)
    const local = await askLocalModel({ ...options.local, signal }, canonical)
    const rest = { ...withoutJudge(rules, local), judge: 'failed' as const }
    if (!judging) return { ...rest, judge: 'absent' }
    const judged = await judging
    options.signal?.throwIfAborted()
    if (judged instanceof ModelError) throw new JudgeError(judged, rest)
    if (judged instanceof Error) throw judged
    const { model, version, answer } = judged
    return { ...rest, judge: answer, model: `${rest.model} + ${model}`, version: `${rest.version} + ${version}` }
  } finally {
    // If the local model has failed, the judge's response is useless.
    givenUp.abort()
  }
}

/** The opinion if no model was called. */
export const rulesAlone = (rules: RulesAnswer): StagedOpinion => ({
  ...{ rules, local: { scores: noScores, overall: 0, judged: false }, judge: 'absent' },
  ...{ model: null, version: null },
})

export const noScores = Object.fromEntries(policyCategoryIds.map((id) => [id, 0])) as CategoryScores

function withoutJudge(rules: RulesAnswer, { model, version, ...local }: LocalOpinion) {
  const known = version === thresholds.model
  return { rules, local: { ...local, known }, model, version }
}

/** Applies the rules to the post as one text, and to the author's name. The quality bar does not apply to the name. */
export function readRules(
  { texts, authorName }: Pick<PostToJudge, 'texts' | 'authorName'>,
  /** The texts as submitted, if known. */
  sent: PostToJudge['texts'] = [],
): RulesAnswer {
  const text = texts.map((part) => part.text).join('\n\n')
  const post = applyRules(text)
  const name = applyRules(authorName)
  const scores = Object.fromEntries(
    policy.categories.map(({ id, abusive }) => [id, Math.max(post[id], abusive ? name[id] : 0)]),
  ) as CategoryScores
  if (isDisguised(sent)) scores.low_quality = Math.max(scores.low_quality, thresholds.rules.hint)
  return { scores, mentionsMinors: mentionsMinors(`${text}\n\n${authorName}`) }
}
