import { newId } from '../../../src/platform/identifiers.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { callTool } from '../mcp/call-tool.ts'
import { kindNamed, seedListedPost } from '../posts/create-post.ts'
import type { Scene, Sent } from './mistakes.ts'

export type Answer = { status: number; headers: Record<string, string>; body: Record<string, unknown> }

/** An account with posts, and a story by another account. */
export async function prepareScene(service: Service): Promise<Scene> {
  const author = await service.createCustomer()
  const other = await service.createAccount()
  const publishedAt = service.clock.now()
  const usedIdempotencyKey = newId('txn', publishedAt)
  await fetch(`${service.baseUrl}/v1/posts`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${author.api_key}`, 'content-type': 'application/json' },
      'idempotency-key': usedIdempotencyKey,
    },
    body: JSON.stringify({ text: 'The observatory shows its instruments, old and new, on Saturday evening.' }),
  })
  const seed = (kind: string, accountId: string) =>
    seedListedPost(service, { kind, body: kindNamed(kind).examples[0], publishedAt, accountId })
  return {
    apiKey: author.api_key,
    ownMessage: await seed('message', author.id),
    publicStory: await seed('story', other.id),
    usedIdempotencyKey,
  }
}

export async function send(service: Service, sent: Sent, { apiKey }: Scene): Promise<Answer> {
  if ('tool' in sent) {
    const url = sent.at === 'all' ? service.accountPageUrl : String(service.baseUrls[sent.at])
    const { status, headers, result, problem } = await callTool(url, sent.tool, sent.given, { apiKey })
    const body = problem ?? result?.structuredContent ?? {}
    return {
      status: problem ? problem.status : status,
      headers: Object.fromEntries(headers),
      body: body as Answer['body'],
    }
  }
  const { kind, method, path, headers = {}, body, as = 'json' } = sent
  const written: { headers?: Record<string, string>; body?: string } = body === undefined ? {} : writeBody(body, as)
  const response = await fetch(`${service.baseUrls[kind]}${path}`, {
    method,
    headers: { ...headers, ...written.headers },
    ...(written.body !== undefined && { body: written.body }),
  })
  const answer = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: answer.startsWith('{') ? JSON.parse(answer) : { not_json: answer.slice(0, 100) },
  }
}

function writeBody(body: unknown, as: 'json' | 'form' | 'text') {
  if (as === 'form')
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(body as Record<string, string>).toString(),
    }
  const type = as === 'json' ? 'application/json' : 'text/plain'
  return { headers: { 'content-type': type }, body: JSON.stringify(body) }
}
