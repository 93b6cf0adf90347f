import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { inTransaction } from '../../../src/platform/database/database.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { recordEvent } from '../../../src/posts/events.ts'
import { startDnsServer } from '../../../tooling/network/dns-server.ts'
import { makeCertificates, receiverRange } from '../../../tooling/network/https-receiver.ts'
import { readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { accountId } from '../../generation/seed/batch.ts'
import { compare, timed } from './harness.ts'
import { type BenchService, openService } from './service.ts'
import type { Arrived, Expected, Sample } from './webhook-receiver.ts'

/** Four endpoints on each host have the worker's maximum of concurrent attempts. */
const [hosts, endpoints] = [5, 20]
/** A worker's concurrent attempts for one endpoint; the bare loop gets as many connections. */
const seats = 8

/** One worker's signed and recorded deliveries, compared with an undici loop that posts the same bytes unsigned. */
export async function benchWebhooks(args: string[]): Promise<void> {
  const { deliveries, rounds } = readOptions(args, { deliveries: wholeNumber(10_000), rounds: wholeNumber(5) })
  const perEndpoint = Math.ceil(deliveries / endpoints)
  const expected = perEndpoint * endpoints
  const network = `127.77.${randomInt(1, 255)}`
  const names = Array.from({ length: hosts }, (_, at) => `hooks-${at + 1}.example.test`)
  const addresses = Object.fromEntries(names.map((name, at) => [name, `${network}.${at + 1}`]))
  const { ca, key, cert } = makeCertificates(names)
  const order = JSON.stringify({ key, cert, addresses: Object.values(addresses) })
  await using stack = new AsyncDisposableStack()
  const receiver = fork(join(import.meta.dirname, 'webhook-receiver.ts'), [order])
  stack.defer(() => void receiver.kill())
  await once(receiver, 'message')
  const zone = Object.fromEntries(names.map((name) => [name, { a: [String(addresses[name])] }]))
  const dns = stack.use(await startDnsServer(zone))
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'broadside-bench-')))
  const authorities = join(folder.path, 'ca.pem')
  await writeFile(authorities, ca)
  const outbound = { OUTBOUND_TEST_RANGES: receiverRange, OUTBOUND_DNS_SERVERS: dns.server }
  const service = stack.use(await openService(1_000, { ...outbound, OUTBOUND_CERTIFICATE_AUTHORITIES: authorities }))
  for (let number = 0; number < endpoints; number++) {
    const url = `https://${names[number % hosts]}/${number}`
    await service.call('/v1/webhooks', { body: { url }, status: 201 })
  }
  // The daily limit for endpoints that never answered a test must not hold the events.
  await service.owner.pool.query('update webhooks set proven_at = created_at')
  await service.start('worker')
  let samples: Sample[] = []
  const untilArrived = async () => {
    receiver.send({ expected } satisfies Expected)
    const [arrived] = (await once(receiver, 'message', { signal: AbortSignal.timeout(300_000) })) as [Arrived]
    ;({ samples } = arrived)
  }
  await compare('deliveries a second; bar: ratio of the undici loop at most 1.7', rounds, {
    worker: async () => {
      await recordEvents(service, perEndpoint)
      const milliseconds = await timed(async () => {
        const arrived = untilArrived()
        await service.owner.pool.query('update delivery_lanes set paused_until = null')
        await arrived
        await waitFor(async () => (await countPending(service)) === 0, 'all deliveries to be recorded', 60_000)
      })
      return expected / (milliseconds / 1_000)
    },
    'undici loop': async () => {
      const milliseconds = await timed(() =>
        Promise.all([untilArrived(), postAll(samples, { addresses, ca, expected })]),
      )
      return expected / (milliseconds / 1_000)
    },
  })
}

/** Records events of published posts, this many for each endpoint, which has an account to itself. */
async function recordEvents({ owner }: BenchService, perEndpoint: number): Promise<void> {
  await owner.pool.query(`update delivery_lanes set paused_until = 'infinity'`)
  for (let number = 0; number < endpoints; number++)
    await inTransaction(owner.db, async (tx) => {
      for (let recorded = 0; recorded < perEndpoint; recorded++) {
        const at = new Date()
        const postId = newId('post', at)
        const data = { id: postId, kind: 'message', status: 'published', url: `https://messages.example/p/${postId}` }
        await recordEvent(tx, { type: 'post.published', accountId: accountId(number), postId, data, at })
      }
    })
  await owner.pool.query('vacuum analyze events, deliveries, delivery_lanes')
}

async function countPending({ owner }: BenchService): Promise<number> {
  return (await owner.pool.query(`select from deliveries where status <> 'delivered'`)).rowCount ?? 0
}

type Posting = { addresses: Record<string, string>; ca: string; expected: number }

/** Opens its connections within the measured time, as the worker does. */
async function postAll(samples: readonly Sample[], { addresses, ca, expected }: Posting): Promise<void> {
  const pools = new Map(
    Object.entries(addresses).map(([host, address]) => [
      host,
      new Pool(`https://${address}`, { connections: (endpoints / hosts) * seats, connect: { ca, servername: host } }),
    ]),
  )
  let left = expected
  const loop = async ({ host, path, headers, body }: Sample) => {
    while (left-- > 0) {
      const response = await pools.get(host)?.request({ method: 'POST', path, headers, body })
      await response?.body.dump()
    }
  }
  await Promise.all(samples.flatMap((sample) => Array.from({ length: seats }, () => loop(sample))))
  await Promise.all([...pools.values()].map((pool) => pool.close()))
}
