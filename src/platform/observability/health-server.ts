import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { observeAtScrape } from './instruments.ts'
import type { Telemetry } from './telemetry.ts'

type Options = {
  host: string
  port: number
  telemetry: Telemetry
  /** Null if the process is ready for work; otherwise the reason why it is not. */
  notReadyBecause: () => Promise<string | null>
}

/** Listens on a separate port for operators, so that it responds even when the public server is overloaded. */
export async function startHealthServer({ host, port, telemetry, notReadyBecause }: Options) {
  const ready = observeReadiness(async () => (await notReadyBecause()) === null)
  const server = createServer(async (request, response) => {
    if (request.url === '/healthz') return answer(response, 200, { status: 'up' })
    if (request.url === '/readyz') {
      const reason = await notReadyBecause().catch(() => 'the health check failed')
      return reason
        ? answer(response, 503, { status: 'not ready', reason })
        : answer(response, 200, { status: 'ready' })
    }
    if (request.url === '/metrics') return telemetry.metricsHandler(request as IncomingMessage, response)
    return answer(response, 404, { status: 'unknown', paths: ['/healthz', '/readyz', '/metrics'] })
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    [Symbol.asyncDispose]: async () => {
      ready[Symbol.dispose]()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** For an alert: a process that is up may wait for its database for ever. */
export const observeReadiness = (isReady: () => Promise<boolean>): Disposable =>
  observeAtScrape(['process.ready'], async (observe) =>
    observe('process.ready', Number(await isReady().catch(() => false))),
  )

function answer(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
