import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const post = (status: string) => ({ id: 'post_1', kind: 'message', status })
const page = (ids: string[], next_cursor: string | null) => ({ data: ids.map((id) => ({ id })), next_cursor })
const event = (id: number, data: string) => `id: ${id}\nevent: post.published\ndata: {"id":"${data}"}\n\n`
const problem = {
  ...{ type: 'https://m.example/problems/insufficient_balance', title: 'T', status: 402, detail: 'D' },
  ...{ code: 'insufficient_balance', instance: 'a', account_url: 'https://account.example/o/t', for_human: true },
}

/** A site that answers what the smoke program asks, and serves these files beside it. */
export async function startSmokeServer(files: ReadonlyMap<string, string>) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site')
    const file = files.get(pathname)
    if (file !== undefined) return void response.writeHead(200, { 'content-type': typeOf(pathname) }).end(file)
    if (pathname === '/v1/stream') return stream(response, searchParams.get('after'))
    const answer = answers(`http://${request.headers.host}`)[`${request.method} ${pathname}${cursorIn(searchParams)}`]
    const isProblem = answer === problem
    const type = `application/${isProblem ? 'problem+json' : 'json'}`
    response
      .writeHead(answer ? (isProblem ? 402 : 200) : 404, { 'content-type': type, 'retry-after': '0' })
      .end(JSON.stringify(answer ?? null))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const answers = (url: string): Record<string, unknown> => ({
  'GET /v1/status': { status: 'up', sites: [{ kind: 'message', url }] },
  'POST /v1/posts': post('queued'),
  'GET /v1/posts/post_1': post('published'),
  'GET /v1/posts': page(['post_1', 'post_2'], 'next'),
  'GET /v1/posts next': page(['post_3'], null),
  'GET /v1/account': problem,
})

const cursorIn = (query: URLSearchParams) => (query.has('cursor') ? ` ${query.get('cursor')}` : '')
const typeOf = (path: string) => (path.endsWith('js') ? 'text/javascript' : 'text/html')

/** The first connection breaks off in the middle of a character; the second one repeats an event and continues. */
function stream(response: ServerResponse, after: string | null): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (after !== null) {
    response.write(event(1, 'é') + event(2, '🌊') + event(3, 'end'))
    return
  }
  const second = Buffer.from(event(2, '🌊'))
  response.end(Buffer.concat([Buffer.from(event(1, 'é')), second.subarray(0, second.indexOf('🌊') + 2)]))
}
