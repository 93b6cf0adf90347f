import { z } from 'zod'
import { type PolicyCategoryId, policy, policyCategoryIds } from '../../policy/policy.ts'
import { countWindows } from '../../text-analysis/count-windows.ts'
import type { CategoryScores, LocalModelAnswer, PostToJudge } from '../pipeline/opinion.ts'
import { ask, check, isBusy, ModelError, printable } from './model-service.ts'

export type LocalOptions = {
  /** The base URL, without `/v1/…`. */
  url: string
  name: string
  apiKey?: string | undefined
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export type LocalOpinion = LocalModelAnswer & {
  model: string
  version: string
}

const byCategory = <Value extends z.ZodType>(value: Value) =>
  z.strictObject(Object.fromEntries(policyCategoryIds.map((id) => [id, value])) as Record<PolicyCategoryId, Value>)

const score = z.number().min(0).max(1)
const scores = byCategory(score)

const result = z
  .looseObject({
    flagged: z.boolean(),
    categories: byCategory(z.boolean()),
    category_scores: scores,
    // A plain OpenAI server sends neither field. It judges every text, and its highest category score is the overall
    // score.
    overall_score: score.optional(),
    judged: z.boolean().default(true),
  })
  .refine(({ flagged, categories }) => flagged === Object.values(categories).includes(true))

const moderationAnswer = z.looseObject({
  model: printable,
  system_fingerprint: printable.nullish(),
  results: z.array(result),
})

/** Scores the post as one text, and the author's name separately. */
export async function askLocalModel(
  options: LocalOptions,
  { texts, authorName }: Pick<PostToJudge, 'texts' | 'authorName'>,
): Promise<LocalOpinion> {
  const input = [texts.map(({ text }) => text).join('\n\n'), authorName]
  const timeoutMs = options.timeoutMs + msPerWindow * countWindows(...input)
  const question = ask({ ...options, timeoutMs }, 'moderations', { model: options.name, input })
  const answer = await question.catch((error) => explain(error, options.url))
  const { model, system_fingerprint: version, results } = check('local model', moderationAnswer, answer)
  const [post, name] = results
  if (!post || !name || results.length !== input.length)
    throw new ModelError(
      'not_an_answer',
      `the local model returned ${results.length} results for ${input.length} texts`,
    )
  return { model, version: version ?? model, ...answerOf(post, name) }
}

/** Long texts take longer and compete with other requests. The longest get 24 more seconds. */
const msPerWindow = 250

/**
 * Our model server reports its progress and restarts stuck threads itself, so a late response means that it is busy.
 */
async function explain(error: unknown, url: string): Promise<never> {
  if (!(error instanceof ModelError && error.kind === 'timeout')) throw error
  throw (await isBusy(url))
    ? new ModelError('busy', 'moderations: the model is busy with other requests', error)
    : error
}

type Scored = { category_scores: CategoryScores; overall_score?: number | undefined; judged: boolean }

/** The overall score covers only the post: a name is too short to judge. */
function answerOf(post: Scored, name: Scored): LocalModelAnswer {
  const all = worstOf(post, name)
  return { scores: all, overall: post.overall_score ?? Math.max(...Object.values(all)), judged: post.judged }
}

/** A name is not judged for quality, because it is too short. */
const worstOf = (post: Scored, name: Scored): CategoryScores =>
  Object.fromEntries(
    policy.categories.map(({ id, abusive }) => [
      id,
      Math.max(post.category_scores[id], abusive ? name.category_scores[id] : 0),
    ]),
  ) as CategoryScores
