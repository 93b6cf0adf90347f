import { z } from 'zod'
import type { Settings } from '../../platform/settings/settings.ts'
import { ask, check, printable, type ServiceOptions } from '../model-client/model-service.ts'
import type { PostToJudge } from '../pipeline/opinion.ts'
import type { Adapter, JudgeReading, PostPart, Question } from './adapter.ts'
import { llamaGuard } from './llama-guard.ts'
import { policyJson } from './policy-json.ts'
import { splitPost, worstOf } from './post-parts.ts'
import { qwen3guard } from './qwen3guard.ts'

/** The families of models that can be asked. */
export const judgeForms = ['policy-json', 'qwen3guard', 'llama-guard'] as const
export type JudgeForm = (typeof judgeForms)[number]

export const adapters: Readonly<Record<JudgeForm, Adapter>> = {
  'policy-json': policyJson,
  qwen3guard,
  'llama-guard': llamaGuard,
}

export type JudgeOptions = ServiceOptions & {
  /** What the server calls the model. */
  name: string
  form: JudgeForm
}

export type JudgeAnswer = { model: string; version: string; answer: JudgeReading }

/** A server with one graphics card does two at a time without being slower at each. */
const asksAtOnce = 2

/**
 * Asks the judge about every field of a post, a long one in parts; the worst answer is that of the whole. Throws
 * ModelError when the judge is down, slow, or says something that is not an answer to any part; never guesses.
 */
export async function askJudge(options: JudgeOptions, post: PostToJudge): Promise<JudgeAnswer> {
  const givenUp = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, givenUp.signal]) : givenUp.signal
  try {
    const worst = worstOf(await askEach({ ...options, signal }, splitPost(post)))
    const coversAll = adapters[options.form].notCovered.length === 0
    return coversAll ? worst : { ...worst, answer: { ...worst.answer, coversAll } }
  } finally {
    // When one part has failed, the answers about the others are of no use.
    givenUp.abort()
  }
}

async function askEach(options: JudgeOptions, parts: readonly PostPart[]): Promise<JudgeAnswer[]> {
  const answers: JudgeAnswer[] = []
  const waiting = parts.values()
  const askInTurn = async () => {
    for (const part of waiting) answers.push(await askPart(options, part))
  }
  await Promise.all(Array.from({ length: asksAtOnce }, askInTurn))
  return answers
}

async function askPart(options: JudgeOptions, part: PostPart): Promise<JudgeAnswer> {
  const { body, read } = adapters[options.form].ask(options.name, part)
  const { model, version, content } = await complete(options, body)
  return { model, version, answer: read(content) }
}

/** Nothing but one whole answer in words: not a part of one, no call of a tool, no refusal, no choice between two. */
const completion = z.looseObject({
  object: z.literal('chat.completion').optional(),
  model: printable,
  system_fingerprint: printable.nullish(),
  choices: z.tuple([
    z.looseObject({
      finish_reason: z.literal('stop'),
      message: z.looseObject({
        role: z.literal('assistant'),
        content: z.string().min(1),
        refusal: z.null().optional(),
        tool_calls: z.tuple([]).nullish(),
        function_call: z.null().optional(),
      }),
    }),
  ]),
})

/** Asks for one completion, and gives its text and whose it is. */
export async function complete(options: ServiceOptions, body: Question['body']) {
  const answer = check('judge', completion, await ask(options, 'chat/completions', body))
  const { model, system_fingerprint: version, choices } = answer
  return { model, version: version ?? model, content: choices[0].message.content }
}

export const judgeSettings = [
  'JUDGE_URL',
  'JUDGE_NAME',
  'JUDGE_FORM',
  'JUDGE_API_KEY',
  'MODEL_TIMEOUT_SECONDS',
] as const

/** How the judge is asked; null when there is none. */
export function judgeOptions(settings: Settings<(typeof judgeSettings)[number]>): JudgeOptions | null {
  const { JUDGE_URL: url, JUDGE_NAME: name, JUDGE_FORM: form, JUDGE_API_KEY: apiKey } = settings
  return url ? { url, name, form, apiKey, timeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000 } : null
}
