import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { LocalModel, LocalScores } from '../../model/server/local/local-model.ts'
import { thresholds } from '../../src/moderation/decisions/thresholds.ts'
import { policyCategoryIds } from '../../src/policy/policy.ts'

const nothing = Object.fromEntries(policyCategoryIds.map((id) => [id, 0])) as LocalScores

/**
 * A model that detects nothing in any text. Tests of what happens after a verdict use test words and need no weights.
 */
export const quietModel: LocalModel = {
  name: 'quiet',
  version: thresholds.model,
  score: async (texts) => texts.map(() => ({ scores: nothing, overall: 0, judged: true })),
  [Symbol.asyncDispose]: async () => {},
}

/** A local model that gives every text the same scores. */
export async function startFlatModel(score: number, address = '127.0.0.1') {
  const flags = Object.fromEntries(policyCategoryIds.map((id) => [id, false]))
  const scores = Object.fromEntries(policyCategoryIds.map((id) => [id, score]))
  const server = createServer(async (request, response) => {
    // The worker asks whether the model is running.
    if (request.method === 'GET') return void response.end('{}')
    const { input } = JSON.parse(await text(request))
    const results = input.map(() => ({ flagged: false, categories: flags, category_scores: scores, judged: true }))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ model: 'test', system_fingerprint: thresholds.model, results }))
  }).listen(0, address)
  await once(server, 'listening')
  const url = `http://${address}:${(server.address() as AddressInfo).port}`
  return {
    url,
    /** The worker settings for this model, without a judge. */
    stages: { local: { url, name: 'test', timeoutMs: 5_000 }, judge: null },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
