import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startDelayingProxy } from '../../../../tooling/network/delaying-proxy.ts'
import { isInNamespace, openNamespace, runInNamespace } from '../../../../tooling/network/namespace.ts'
import type { Environment } from '../environment.ts'
import { anyDuration, disturbInTurn } from './disturb-in-turn.ts'
import { publishWhile } from './run.ts'
import { watchOutages } from './watch-outages.ts'

type Options = { partitions: number; slow: number; longest: number; seconds: number; rate: number }

const program = fileURLToPath(new URL('../main.ts', import.meta.url))
const lossPercent = 10
const processes = ['api-1', 'api-2', 'worker-1', 'worker-2'] as const

/**
 * Cuts processes off from PostgreSQL, and API processes from the gateway, by dropping their packets; and slows the way
 * to PostgreSQL down, with lost packets. Each process has its own proxy in front of PostgreSQL, so its packets can be
 * told from those of others. `tc netem` would do the same, but not every kernel has it.
 */
export async function cutNetwork(options: Options) {
  if (!isInNamespace()) {
    const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    return JSON.parse(await runInNamespace(program, ['network', ...flags])) as { broken: string[] }
  }
  const { partitions, slow, longest, seconds, rate } = options
  await using namespace = await openNamespace({ lossPercent })
  await using stack = new AsyncDisposableStack()
  const proxies = new Map<string, Awaited<ReturnType<typeof startDelayingProxy>>>()
  for (const name of processes) proxies.set(name, stack.use(await startDelayingProxy(namespace.server)))

  const disturb = async (environment: Environment, signal: AbortSignal) => {
    await using outages = watchOutages([...environment.apis, ...environment.workers])
    const partition = (name: string, port: number) => ({
      name: `${name} cut off`,
      run: async () => {
        await namespace.cut(port)
        await sleep(anyDuration(longest)).finally(() => namespace.join(port))
      },
    })
    const slowDown = (name: string, { port, setDelay }: { port: number; setDelay: (ms: number) => void }) => ({
      name: `${name} slow`,
      run: async () => {
        setDelay(randomInt(10, 500))
        await namespace.startLosing(port)
        await sleep(anyDuration(longest)).finally(async () => {
          setDelay(0)
          await namespace.stopLosing(port)
        })
      },
    })
    const cuts = [
      ...[...proxies].map(([name, { port }]) => partition(name, port)),
      ...environment.apiPorts.map((port, at) => partition(`gateway to api-${at + 1}`, port)),
    ]
    const delays = [...proxies].map(([name, proxy]) => slowDown(name, proxy))
    const gapMs = (count: number) => (seconds * 1_000) / count
    const [cut, slowed] = await Promise.all([
      disturbInTurn(cuts, { count: partitions, gapMs: gapMs(partitions), signal }),
      disturbInTurn(delays, { count: slow, gapMs: gapMs(slow), signal }),
    ])
    return { partitions: cut, slow_periods: slowed, longest_outage_seconds: outages.longest() }
  }
  const proxied = (name: string, url: string) => {
    const own = new URL(url)
    own.host = `127.0.0.1:${proxies.get(name)?.port ?? own.port}`
    return own.href
  }
  // Not without `await`: the namespace would be closed before the run.
  return await publishWhile({ posts: seconds * rate, rate }, disturb, { databaseUrlOf: proxied })
}
