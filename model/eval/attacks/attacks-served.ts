import { openModel } from '../../../src/bin/commands/processes/model.ts'
import { showProgress } from '../../../src/bin/progress.ts'
import { decide } from '../../../src/moderation/decisions/decision-table.ts'
import { JudgeError, judgeInStages } from '../../../src/moderation/pipeline/judge-in-stages.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { type JudgeAct, startJudge } from '../../../tooling/models/judge-server.ts'
import { atEnvelope, atTransport, atVerdict, silences } from '../../../tooling/models/misbehaving-judge.ts'
import { quietPort } from '../../../tooling/services/state.ts'
import { chooseViolating } from '../data/choose-posts.ts'
import type { EvalPost } from '../data/read-set.ts'
import { type EvalModel, textOf } from '../models/open-model.ts'
import { wrappers } from './wrappers.ts'

/** The outcome of the wrapped posts, by the status that their author reads. */
export type ServedFigures = { wrapper: string; published: number; review: number; rejected: number; refused: number }

const seed = 10
/** The service rejects near-duplicates of posts from the last seven days, and each post is sent in twelve wrappers. */
const pauseMs = 8 * 86_400_000

/**
 * Runs the attacks through the whole service: gateway, API, worker, local model and a judge that accepts everything,
 * then again with a judge that fails in every known way.
 */
export async function runServedAttacks(posts: readonly EvalPost[], model: EvalModel) {
  const chosen = chooseViolating(posts, 60, seed)
  await using service = await startService({ judges: true, local: model, requestsPerSecond: 10_000, burst: 10_000 })
  const account = await service.createCustomer(1_000_000_000)
  const client = service.client(account.api_key, 'classified')
  const figures: ServedFigures[] = []
  for (const [index, { name, wrap }] of wrappers.entries()) {
    service.clock.setOffset(index * pauseMs)
    figures.push(
      await attack(service, client, { wrapper: name, texts: chosen.map(({ parts }) => wrap(textOf(parts))) }),
    )
  }
  return { figures, failures: await failInEveryWay(service, chosen, model) }
}

type Client = ReturnType<Service['client']>

async function attack(service: Service, client: Client, { wrapper, texts }: { wrapper: string; texts: string[] }) {
  const progress = showProgress(`through the door: ${wrapper}`)
  const counts: ServedFigures = { wrapper, published: 0, review: 0, rejected: 0, refused: 0 }
  const ids: string[] = []
  for (const [index, body] of texts.entries()) {
    const ad = { title: 'A note from the harbour', body, category: 'other' } as const
    const answer = await client.submitPost(ad).catch(() => null)
    if (answer && 'id' in answer.body) ids.push(answer.body.id)
    else counts.refused++
    progress(index + 1, texts.length)
  }
  await service.settle(300_000)
  for (const id of ids) {
    const { body } = await client.getPost(id)
    const status = 'status' in body ? body.status : 'published'
    if (status === 'review' || status === 'rejected' || status === 'published') counts[status]++
  }
  return counts
}

/** Tries each failure mode of a judge with one post, and returns the modes that would publish the post. */
async function failInEveryWay(service: Service, posts: readonly EvalPost[], model: EvalModel) {
  const port = await quietPort()
  // In production it obeys no test words.
  const settings = { BROADSIDE_ENVIRONMENT: 'production', LOG_LEVEL: 'silent', MODEL_PORT: String(port) }
  await using _server = await openModel(settings, service.surroundings, { local: model })
  const url = `http://127.0.0.1:${port}`
  const transport = Object.entries(atTransport).map(([name, [, act]]): [string, JudgeAct] => [name, act])
  const ways = [...Object.entries({ ...silences, ...atEnvelope, ...atVerdict }), ...transport]
  const published: string[] = []
  for (const [index, [name, act]] of ways.entries()) {
    await using judge = await startJudge(act)
    const options = { local: { url, name: model.name, timeoutMs: 60_000 }, judge: { ...judge.options, timeoutMs: 500 } }
    const post = posts[index % posts.length] as EvalPost
    const asked = judgeInStages(options, { kind: post.kind, authorName: 'Harbour Bot', texts: post.parts })
    const opinion = await asked.catch((error) => {
      if (error instanceof JudgeError) return error.rest
      throw error
    })
    if (decide(opinion).outcome === 'publish') published.push(name)
  }
  return { ways: ways.length, published }
}
