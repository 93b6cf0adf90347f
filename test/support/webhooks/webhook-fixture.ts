import type { ListDeliveriesQuery } from '../../../clients/typescript/src/index.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { recordEvent } from '../../../src/posts/events.ts'
import { type ServiceOptions, startService } from '../../../tooling/environment/service.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

export type WebhookFixture = Awaited<ReturnType<typeof openWebhookFixture>>

type FixtureOptions = Omit<ServiceOptions, 'receivers' | 'judges'> & {
  /** If omitted, a worker runs. */
  delivers?: false
  /** If omitted, endpoints count as proven, and no daily limit applies to their deliveries. */
  provesEndpoints?: false
}

/** The whole service with a worker, and a receiver that it can reach. */
export async function openWebhookFixture({ delivers, provesEndpoints, ...options }: FixtureOptions = {}) {
  await using opening = new AsyncDisposableStack()
  const receiver = opening.use(await startWebhookReceiver())
  const { zone, authorities } = receiver
  const service = opening.use(
    await startService({
      ...options,
      judges: delivers !== false,
      receivers: { zone, certificateAuthorities: authorities },
    }),
  )
  const stack = opening.move()
  /** An account with an endpoint at this path. */
  const subscribe = async (path: string, events?: Type[], host?: string) => {
    const account = await service.createAccount()
    return { account, ...(await create(account, path, events, host)) }
  }
  type Account = Awaited<ReturnType<typeof service.createAccount>>
  type Type = 'post.published' | 'post.rejected'
  const eventOf = (account: Account, type: Type) => {
    const at = service.clock.now()
    const postId = newId('post', at)
    const data = { id: postId, kind: 'message', status: type.slice('post.'.length) }
    return { type, accountId: account.id, postId, data, at }
  }
  const create = async (account: Account, path: string, events?: Type[], host?: string) => {
    const { body } = await account.client.createWebhook({ url: receiver.url(path, host), ...(events && { events }) })
    const { client } = account
    if (provesEndpoints !== false)
      await service.asOwner('update webhooks set proven_at = created_at where id = $1', [body.id])
    return {
      webhook: body,
      deliveries: async (query: ListDeliveriesQuery = { limit: 100 }) =>
        (await client.listDeliveries(body.id, query)).body.data,
      record: async () => (await client.listWebhooks()).body.data.find(({ id }) => id === body.id),
    }
  }
  return {
    receiver,
    service,
    subscribe,
    create,
    /** Records an event of a post that is not public, as a decision does. */
    announce: (account: Account, type: Type = 'post.published') =>
      service.asWorker((tx) => recordEvent(tx, eventOf(account, type))),
    /** Records many at once. */
    announceMany: (account: Account, count: number) =>
      service.asWorker(async (tx) => {
        for (let number = 0; number < count; number++) await recordEvent(tx, eventOf(account, 'post.published'))
      }),
    /** Advances the clock by this many seconds. */
    pass: advancer(service.clock),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function advancer(clock: { setOffset(milliseconds: number): void }) {
  let offset = 0
  return (seconds: number) => {
    offset += seconds * 1_000
    clock.setOffset(offset)
  }
}
