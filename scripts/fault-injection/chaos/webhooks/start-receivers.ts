import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SettingName } from '../../../../src/platform/settings/settings.ts'
import { startDnsServer } from '../../../../tooling/network/dns-server.ts'
import { makeCertificates, receiverRange } from '../../../../tooling/network/https-receiver.ts'
import type { Answer, Listener, Order, Place, Seen } from './receivers.ts'

const program = fileURLToPath(new URL('./receivers.ts', import.meta.url))
const domain = 'hooks.example.test'

export type Receivers = Awaited<ReturnType<typeof startReceivers>>

/** Real https receivers in a separate process, each with its own name and loopback address. */
export async function startReceivers(listeners: readonly Listener[]) {
  await using starting = new AsyncDisposableStack()
  const network = `127.77.${randomInt(1, 255)}`
  const places = listeners.map(
    (listener, at): Place => ({ ...listener, host: `e${at + 1}.${domain}`, address: `${network}.${at + 1}` }),
  )
  const { ca, key, cert } = makeCertificates([`*.${domain}`])
  const authorities = join(tmpdir(), `broadside-chaos-${process.pid}-${network}.pem`)
  writeFileSync(authorities, ca)
  starting.defer(() => rmSync(authorities))
  const dns = starting.use(
    await startDnsServer(Object.fromEntries(places.map(({ host, address }) => [host, { a: [address] }]))),
  )
  const { ask, stop } = starting.use(startProgram())
  await ask({ order: 'listen', key, cert, places })
  const stack = starting.move()
  return {
    places,
    settings: {
      OUTBOUND_TEST_RANGES: receiverRange,
      OUTBOUND_DNS_SERVERS: dns.server,
      OUTBOUND_CERTIFICATE_AUTHORITIES: authorities,
    } satisfies Partial<Record<SettingName, string>>,
    trust: (secrets: Record<string, string>) => ask({ order: 'trust', secrets }),
    /** The number of events that arrived, each counted once per endpoint. */
    countArrived: async (): Promise<number> => {
      // Cleared, because the server searches all earlier queries on every query.
      dns.questions.length = 0
      const answer = await ask({ order: 'count' })
      return 'arrived' in answer ? answer.arrived : 0
    },
    report: async (): Promise<(Seen & Place)[]> => {
      const answer = await ask({ order: 'report' })
      const seen = new Map('seen' in answer ? answer.seen.map((one) => [one.host, one]) : [])
      return places.map((place) => ({ ...place, ...(seen.get(place.host) ?? nothing(place)) }))
    },
    /** Cuts all connections. */
    stop,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const nothing = ({ host }: Place): Seen => ({ host, requests: 0, unverified: 0, arrivals: [] })

function startProgram() {
  const child = fork(program, { execArgv: [] })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return {
    stop,
    /** Sends one command at a time. */
    ask: async (order: Order): Promise<Answer> => {
      const answered = once(child, 'message')
      child.send(order)
      const failed = ended.then(() => Promise.reject(new Error('the receivers exited')))
      const [answer] = await Promise.race([answered, failed])
      return answer as Answer
    },
    [Symbol.asyncDispose]: stop,
  }
}
