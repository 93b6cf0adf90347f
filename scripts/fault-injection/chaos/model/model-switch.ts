import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Nonsense, nonsenseSource } from './nonsense-answers.ts'

/** `refuse`: nothing listens. `hang`: accepts every request and never responds. */
export type SwitchMode = 'pass' | 'refuse' | 'hang' | 'nonsense'

export type ModelSwitch = Awaited<ReturnType<typeof startModelSwitch>>

type Options = {
  port: number
  modelPort: number
  /** The latency that the proxy adds to each request. */
  delayMs: number
}

/** A proxy between the workers and the model. Callers put their name first in the path, as in /worker-1/v1/…. */
export async function startModelSwitch({ port, modelPort, delayMs }: Options) {
  const agent = new Agent({ keepAlive: true })
  const inFlight = new Map<string, number>()
  const nonsenseFor = nonsenseSource()
  let mode: SwitchMode = 'pass'
  const server = createServer((request, response) => {
    const { caller, path } = readAddress(request)
    const isQuestion = request.method === 'POST'
    if (isQuestion) {
      const count = (change: number) => inFlight.set(caller, (inFlight.get(caller) ?? 0) + change)
      count(1)
      response.once('close', () => count(-1))
    }
    if (mode === 'nonsense') return answerNonsense(response, isQuestion ? nonsenseFor(path) : isWell)
    if (mode === 'pass')
      forward({ request, response, path, agent, modelPort, delayMs: isQuestion ? delayMs : 0 }).catch(() =>
        // If the model breaks off a response, the proxy does too.
        request.socket.destroy(),
      )
  })
  const listen = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  await listen()
  return {
    url: (caller: string) => `http://127.0.0.1:${port}/${caller}`,
    /** The number of open requests of that worker. */
    inFlight: (caller: string) => inFlight.get(caller) ?? 0,
    turnTo: async (next: SwitchMode) => {
      mode = next
      await (next === 'refuse' ? close() : server.listening || listen())
    },
    [Symbol.asyncDispose]: async () => {
      await close()
      agent.destroy()
    },
  }
}

function readAddress({ url = '' }: IncomingMessage) {
  const [, caller = '', path = '/'] = /^\/([^/]*)(\/.*)$/.exec(url) ?? []
  return { caller, path }
}

/** Even a server that responds with nonsense passes a health check. */
const isWell: Nonsense = { status: 200, type: 'text/plain', body: 'well' }

function answerNonsense(response: ServerResponse, { status, type, body }: Nonsense): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}

type Forwarding = {
  request: IncomingMessage
  response: ServerResponse
  path: string
  agent: Agent
  modelPort: number
  delayMs: number
}

async function forward({ request, response, path, agent, modelPort, delayMs }: Forwarding): Promise<void> {
  const question = await buffer(request)
  const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers
  const passed = send({
    host: '127.0.0.1',
    port: modelPort,
    agent,
    path,
    method: request.method,
    headers: { ...headers, 'content-length': question.length },
  })
  // The caller gets the first error; an unhandled second one would end this program.
  passed.on('error', () => {})
  response.once('close', () => passed.destroy())
  passed.end(question)
  const [answer] = (await once(passed, 'response')) as [IncomingMessage]
  const body = await buffer(answer)
  await sleep(delayMs)
  const type = answer.headers['content-type'] ?? 'text/plain'
  response.writeHead(answer.statusCode ?? 502, { 'content-type': type }).end(body)
}
