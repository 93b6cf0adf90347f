import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { usualLimits } from '../../../../src/bin/gateway/limit-values.ts'
import { publishWhile } from './run.ts'

type Options = { connections: number; seconds: number; rate: number }

const attacker = '127.0.0.2'
const bystander = '127.0.0.3'

/** What an attacker sends over a connection and then leaves open. */
const attacks = {
  'half-sent headers': 'GET / HTTP/1.1\r\nHost: loc',
  'stalled bodies': `POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"text": "${'a'.repeat(20_000)}`,
  'idle connections': '',
} as const

/**
 * One address opens as many connections as it can, sends half a header, half a body or nothing, and opens a new one
 * whenever the gateway closes one. Meanwhile another address reads pages and calls the API, and authors publish.
 */
export const floodGateway = ({ connections, seconds, rate }: Options) =>
  publishWhile(
    { posts: seconds * rate, rate },
    async (environment, signal) => {
      const before = memoryOf(environment.gateway.pids())
      await using reader = openBystander(environment.baseUrl)
      const opened: Record<string, number> = {}
      let mostBytes = before
      for (const [name, bytes] of Object.entries(attacks)) {
        await using flood = openFlood(environment.baseUrl, bytes, connections)
        const until = performance.now() + (seconds * 1_000) / Object.keys(attacks).length
        while (performance.now() < until && !signal.aborted) {
          mostBytes = Math.max(mostBytes, memoryOf(environment.gateway.pids()))
          await sleep(500)
        }
        opened[name] = flood.opened()
      }
      return { opened, bystander: reader.figures(), gateway_grew_by_bytes: mostBytes - before, ...reader.verdict() }
    },
    { gatewayLimits: usualLimits },
  )

/** Keeps this many connections open, as far as the gateway allows it. */
function openFlood(baseUrl: string, bytes: string, connections: number) {
  const { port } = new URL(baseUrl)
  const sockets = new Set<Socket>()
  let opened = 0
  let isOver = false
  const open = () => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: attacker })
    sockets.add(socket)
    opened++
    socket.on('error', () => {})
    socket.once('connect', () => socket.write(bytes))
    socket.once('close', () => {
      sockets.delete(socket)
      // The flood goes on, but leaves some processor time to the service.
      if (!isOver) setTimeout(open, 250).unref()
    })
    socket.resume()
  }
  for (let number = 0; number < connections; number++) open()
  return {
    opened: () => opened,
    [Symbol.asyncDispose]: async () => {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Counts = { calls: number; failures: number }

/** Reads pages and calls the API from its own address, a new connection each time. */
function openBystander(baseUrl: string) {
  const stop = new AbortController()
  const counts: Record<'pages' | 'api', Counts> = {
    pages: { calls: 0, failures: 0 },
    api: { calls: 0, failures: 0 },
  }
  const paths = { pages: ['/', '/index.json', '/feed.xml'], api: ['/v1/status', '/v1/posts?limit=1'] }
  const reading = (['pages', 'api'] as const).map(async (part) => {
    while (!stop.signal.aborted)
      for (const path of paths[part]) {
        counts[part].calls++
        if ((await statusOf(new URL(path, baseUrl))) !== 200) counts[part].failures++
        await sleep(50)
      }
  })
  return {
    figures: () => counts,
    /** Pages never fail, and the API for one call in a hundred at most. */
    verdict: () => ({
      denied: [
        ...(counts.pages.failures > 0 ? [`another address was denied ${counts.pages.failures} pages`] : []),
        ...(counts.api.failures > counts.api.calls / 100
          ? [`another address was denied ${counts.api.failures} of ${counts.api.calls} calls`]
          : []),
      ],
    }),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await Promise.all(reading)
    },
  }
}

const statusOf = (url: URL): Promise<number> =>
  new Promise((resolve) => {
    const agent = new Agent({ keepAlive: false })
    request(url, { localAddress: bystander, agent, timeout: 10_000 }, (response) => {
      response.resume()
      response.once('end', () => resolve(Number(response.statusCode)))
      response.once('error', () => resolve(0))
    })
      .once('error', () => resolve(0))
      .once('timeout', () => resolve(0))
      .end()
  })

/** The resident memory of these processes together. */
const memoryOf = (pids: readonly number[]) =>
  pids.reduce((total, pid) => total + Number(/VmRSS:\s+(\d+)/.exec(readStatus(pid))?.[1] ?? 0) * 1_024, 0)

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
