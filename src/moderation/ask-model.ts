import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { postJson, ServiceFault } from '../platform/outbound-http/configured-service.ts'
import type { Settings } from '../platform/settings.ts'
import { type PolicyCategoryId, policy, policyCategoryIds } from '../policy/policy.ts'
import { judgeAnswer, judgeRequest, type PostToJudge } from './judge-prompt.ts'

export type StageAnswer = {
  verdict: 'accept' | 'review' | 'reject'
  category: PolicyCategoryId | null
  /** How sure the stage is, from 0 to 1. */
  score: number
}

export type Opinion = {
  model: string
  version: string
  classifier: StageAnswer & { scores: Partial<Record<PolicyCategoryId, number>> }
  judge: StageAnswer
}

export const askingSettings = ['MODEL_URL', 'MODEL_API_KEY', 'MODEL_NAME', 'MODEL_TIMEOUT_SECONDS'] as const

export type ModelOptions = {
  /** What stands before `/v1/…`. */
  url: string
  name: string
  apiKey?: string | undefined
  /** For each of the two questions, which are asked at the same time. */
  timeoutMs: number
  /** Gives both up. */
  signal?: AbortSignal | undefined
}

export const modelOptions = (settings: Settings<(typeof askingSettings)[number]>): ModelOptions => ({
  url: settings.MODEL_URL,
  name: settings.MODEL_NAME,
  apiKey: settings.MODEL_API_KEY,
  timeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000,
})

/** Why there is no opinion. `too_long` will be so for ever: such a post is a person's case. The others may pass. */
export class ModelFault extends Error {
  readonly kind: ServiceFault['kind'] | 'not_an_answer' | 'too_long'
  /** The status that was answered, when that is the fault. */
  readonly status: number | undefined

  constructor(kind: ModelFault['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.status = cause instanceof ServiceFault ? cause.status : undefined
  }
}

/** Asks both stages. Throws ModelFault when the model is down, slow, or says something that is not an answer; never guesses. */
export async function askModel(options: ModelOptions, post: PostToJudge): Promise<Opinion> {
  const givenUp = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, givenUp.signal]) : givenUp.signal
  try {
    const asked = { ...options, signal }
    const [classifier, judge] = await Promise.all([askClassifier(asked, post), askJudge(asked, post)])
    return { model: judge.model, version: judge.version, classifier, judge: judge.answer }
  } finally {
    // When one stage has failed, the other's answer is of no use.
    givenUp.abort()
  }
}

const categoryMembers = <Value extends z.ZodType>(value: Value) =>
  z.strictObject(Object.fromEntries(policyCategoryIds.map((id) => [id, value])) as Record<PolicyCategoryId, Value>)

const moderationAnswer = z.looseObject({
  results: z.array(
    z
      .looseObject({
        flagged: z.boolean(),
        categories: categoryMembers(z.boolean()),
        category_scores: categoryMembers(z.number().min(0).max(1)),
      })
      .refine(({ flagged, categories }) => flagged === Object.values(categories).includes(true)),
  ),
})
type ModerationResult = z.output<typeof moderationAnswer>['results'][number]

/** The post as one text, and the author's name beside it. */
async function askClassifier(
  options: ModelOptions,
  { texts, authorName }: PostToJudge,
): Promise<Opinion['classifier']> {
  const input = [texts.map(({ text }) => text).join('\n\n'), authorName]
  const answer = await ask(options, 'moderations', { model: options.name, input })
  const { results } = check('classifier', moderationAnswer, answer)
  const [post, name] = results
  if (!post || !name || results.length !== input.length)
    throw new ModelFault('not_an_answer', `the classifier gave ${results.length} results for ${input.length} texts`)
  return readScores(post, name)
}

/** Where a score of the classifier begins to mean something. A category that it did not flag is never refused. */
const scoreBounds = { reject: 0.8, review: 0.4 }

function readScores(post: ModerationResult, name: ModerationResult): Opinion['classifier'] {
  const findings = policy.categories.map(({ id, abusive }) => {
    // A short name is no fault of quality.
    const counted = abusive ? [post, name] : [post]
    const score = Math.max(...counted.map((result) => result.category_scores[id]))
    const isFlagged = counted.some((result) => result.categories[id])
    const isRefused = counted.some(
      (result) => result.categories[id] && result.category_scores[id] >= scoreBounds.reject,
    )
    const verdict = isRefused ? 'reject' : isFlagged || score >= scoreBounds.review ? 'review' : 'accept'
    return { id, abusive, score, verdict } as const
  })
  const scores = Object.fromEntries(findings.map(({ id, score }) => [id, score]))
  const [worst] = findings
    .filter(({ verdict }) => verdict !== 'accept')
    .sort((one, other) => weightOf(other) - weightOf(one))
  if (worst) return { verdict: worst.verdict, category: worst.id, score: worst.score, scores }
  return { verdict: 'accept', category: null, score: 1 - Math.max(...findings.map(({ score }) => score)), scores }
}

/** What concerns minors is hidden behind nothing, abuse not behind low quality, a refusal not behind a doubt. */
const weightOf = ({ id, abusive, verdict, score }: { id: string; abusive: boolean; verdict: string; score: number }) =>
  (id === 'sexual_minors' ? 8 : 0) + (abusive ? 4 : 0) + (verdict === 'reject' ? 2 : 0) + score

/** Stored with the decision and shown to the author. */
const printable = z.string().regex(/^[\x20-\x7e]{1,200}$/)

const chatAnswer = z.looseObject({
  model: printable,
  system_fingerprint: printable.nullish(),
  choices: z.tuple([
    z.looseObject({
      finish_reason: z.literal('stop'),
      message: z.looseObject({
        role: z.literal('assistant'),
        content: z.string(),
        refusal: z.null().optional(),
        tool_calls: z.tuple([]).nullish(),
      }),
    }),
  ]),
})

async function askJudge(options: ModelOptions, post: PostToJudge) {
  const marker = unusedMarker(JSON.stringify(post))
  const answer = await ask(options, 'chat/completions', judgeRequest(options.name, marker, post))
  const { model, system_fingerprint: version, choices } = check('judge', chatAnswer, answer)
  const { marker: echoed, ...verdict } = check('judge', judgeAnswer, parsed(choices[0].message.content))
  if (echoed !== marker) throw new ModelFault('not_an_answer', 'the judge did not repeat the marker of the question')
  const isContradiction = verdict.verdict !== 'review' && (verdict.verdict === 'accept') !== (verdict.category === null)
  if (isContradiction) throw new ModelFault('not_an_answer', 'the judge’s verdict contradicts its category')
  return { model, version: version ?? model, answer: verdict }
}

function unusedMarker(post: string): string {
  const marker = randomUUID()
  return post.includes(marker) ? unusedMarker(post) : marker
}

/** What the model that ships takes; a longer question can only be made of escapes on purpose. */
const maxQuestionBytes = 512 * 1024
const maxAnswerBytes = 64 * 1024

async function ask({ url, apiKey, timeoutMs, signal }: ModelOptions, path: string, body: object): Promise<unknown> {
  if (Buffer.byteLength(JSON.stringify(body)) > maxQuestionBytes)
    throw new ModelFault('too_long', 'the post is longer than the model can be asked about')
  try {
    return await postJson(`${url}/v1/${path}`, body, { timeoutMs, maxBytes: maxAnswerBytes, bearer: apiKey, signal })
  } catch (error) {
    if (error instanceof ServiceFault) throw new ModelFault(error.kind, `${path}: ${error.message}`, error)
    throw error
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new ModelFault('not_an_answer', 'the judge’s answer is not JSON alone')
  }
}

/** Says where the answer is wrong, never what it said: that may repeat the post. */
function check<Schema extends z.ZodType>(stage: string, schema: Schema, answer: unknown): z.output<Schema> {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  const places = result.error.issues.map(({ code, path }) => `${code} at /${path.join('/')}`)
  throw new ModelFault('not_an_answer', `the ${stage}’s answer is not one: ${places.join(', ')}`)
}
