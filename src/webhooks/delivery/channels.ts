import type { Channel, Outbound } from '../../platform/outbound-http/open-outbound.ts'

/** An unused channel is closed after this time. */
const idleMs = 30_000

type Options = { maxConnections: number; mayConnect: () => boolean }
type Kept = { channel: Channel; users: number; isRetired: boolean; timer: NodeJS.Timeout | undefined }

export type Channels = ReturnType<typeof openChannels>

/** One channel per endpoint, so that several runs and both queues share its connections. */
export function openChannels(outbound: Outbound, { maxConnections, mayConnect }: Options) {
  const kept = new Map<string, Kept>()
  const open = (id: string, url: string): Kept => {
    const mayOpen = () => mayConnect() && !one.isRetired
    const one: Kept = {
      channel: outbound.openChannel(url, { maxConnections, mayConnect: mayOpen }),
      users: 0,
      isRetired: false,
      timer: undefined,
    }
    kept.set(id, one)
    return one
  }
  const close = (id: string, one: Kept) => {
    clearTimeout(one.timer)
    if (kept.get(id) === one) kept.delete(id)
    return one.channel.close()
  }
  const leave = (id: string, one: Kept) => {
    one.users -= 1
    if (one.users > 0) return
    if (one.isRetired) void close(id, one)
    else one.timer = setTimeout(() => void close(id, one), idleMs).unref()
  }
  const retire = (id: string): void => {
    const one = kept.get(id)
    if (!one) return
    one.isRetired = true
    kept.delete(id)
    if (one.users === 0) void close(id, one)
  }
  return {
    /** Returns the endpoint's channel. The caller must call `leave`. */
    take: (id: string, url: string): { channel: Channel; leave: () => void } => {
      const one = kept.get(id) ?? open(id, url)
      clearTimeout(one.timer)
      one.users += 1
      return { channel: one.channel, leave: () => leave(id, one) }
    },
    /** Stops the channel from opening connections. The next caller of `take` gets a new channel. */
    retire,
    retireAll: (): void => {
      for (const id of [...kept.keys()]) retire(id)
    },
    close: async () => void (await Promise.all([...kept].map(([id, one]) => close(id, one)))),
  }
}
