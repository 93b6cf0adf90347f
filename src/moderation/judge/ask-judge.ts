import { z } from 'zod'
import type { Settings } from '../../platform/settings/settings.ts'
import { ask, check, printable, type ServiceOptions } from '../model-client/model-service.ts'
import type { PostToJudge } from '../pipeline/opinion.ts'
import type { Adapter, JudgeReading, PostPart, Question } from './adapter.ts'
import { llamaGuard } from './llama-guard.ts'
import { policyJson } from './policy-json.ts'
import { splitPost, worstOf } from './post-parts.ts'
import { qwen3guard } from './qwen3guard.ts'

/** The supported model families. */
export const judgeForms = ['policy-json', 'qwen3guard', 'llama-guard'] as const
export type JudgeForm = (typeof judgeForms)[number]

export const adapters: Readonly<Record<JudgeForm, Adapter>> = {
  'policy-json': policyJson,
  qwen3guard,
  'llama-guard': llamaGuard,
}

export type JudgeOptions = ServiceOptions & {
  /** The server's name for the model. */
  name: string
  form: JudgeForm
}

export type JudgeAnswer = { model: string; version: string; answer: JudgeReading }

/** A server with one GPU handles two requests at a time without slowing down. */
const asksAtOnce = 2

/**
 * Sends every field of a post to the judge, split into parts if the post is long. The worst verdict counts. Throws a
 * ModelError if the judge is down, slow, or sends an invalid response for any part.
 */
export async function askJudge(options: JudgeOptions, post: PostToJudge): Promise<JudgeAnswer> {
  const givenUp = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, givenUp.signal]) : givenUp.signal
  try {
    const worst = worstOf(await askEach({ ...options, signal }, splitPost(post)))
    const coversAll = adapters[options.form].notCovered.length === 0
    return coversAll ? worst : { ...worst, answer: { ...worst.answer, coversAll } }
  } finally {
    // If one part has failed, the other responses are useless.
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

/** Accepts only one complete text response: no partial response, tool call, refusal or second choice. */
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

/** Requests one completion, and returns its text and the model that wrote it. */
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

/** The options for calling the judge; null if no judge is configured. */
export function judgeOptions(settings: Settings<(typeof judgeSettings)[number]>): JudgeOptions | null {
  const { JUDGE_URL: url, JUDGE_NAME: name, JUDGE_FORM: form, JUDGE_API_KEY: apiKey } = settings
  return url ? { url, name, form, apiKey, timeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000 } : null
}
