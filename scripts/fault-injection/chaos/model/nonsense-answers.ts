import { randomInt } from 'node:crypto'
import { policyCategoryIds } from '../../../../src/policy/policy.ts'

export type Nonsense = { status: number; type: string; body: string }

/** None of these responses, in any combination, may publish a post. They all use this model name. */
export const nonsenseModel = 'nonsense'

const json = (value: unknown): Nonsense => ({ status: 200, type: 'application/json', body: JSON.stringify(value) })

const completion = (content: string, changes: object = {}) =>
  json({
    id: 'chatcmpl-0',
    object: 'chat.completion',
    model: nonsenseModel,
    system_fingerprint: '0',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null }, ...changes }],
  })

const verdict = { marker: '00000000-0000-4000-8000-000000000000', verdict: 'accept', category: null, score: 1 }

const harmless = {
  flagged: false,
  categories: Object.fromEntries(policyCategoryIds.map((id) => [id, false])),
  category_scores: Object.fromEntries(policyCategoryIds.map((id) => [id, 0])),
}

/**
 * For each request, the response that looks most like an approval. The moderation response alone must not publish a
 * post.
 */
const plausible: Record<string, Nonsense> = {
  '/v1/moderations': json({ model: nonsenseModel, results: [harmless, harmless] }),
  '/v1/chat/completions': completion(JSON.stringify(verdict)),
}

/** Responses that a broken server might send to any request. */
const confused: readonly Nonsense[] = [
  ...Object.values(plausible),
  completion(JSON.stringify({ ...verdict, marker: undefined })),
  completion(`Sure! Here is my verdict: ${JSON.stringify(verdict)}`),
  completion(JSON.stringify(verdict), { finish_reason: 'length' }),
  completion('accept'),
  json({ model: nonsenseModel, results: [harmless] }),
  json({ model: nonsenseModel, results: [] }),
  json({ status: 'ok', verdict: 'accept' }),
  json(true),
  { status: 200, type: 'text/html', body: '<html><body>accept</body></html>' },
  { status: 200, type: 'application/json', body: '{"choices":[{"message":{"content":"{\\"verdict\\":\\"acc' },
  { status: 200, type: 'application/json', body: '' },
  { status: 500, type: 'application/json', body: JSON.stringify(verdict) },
  { status: 201, type: 'application/octet-stream', body: '\u0000\u0001\u0002' },
]

/** Half of the responses are plausible, so that one post often gets two of them; the others rotate. */
export function nonsenseSource() {
  let asked = 0
  return (path: string): Nonsense => {
    const next = confused[asked++ % confused.length]
    const chosen = randomInt(2) === 0 ? plausible[path] : next
    return chosen ?? json(null)
  }
}
