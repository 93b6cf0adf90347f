import { Agent, fetch as fetchThrough } from 'undici'

export type Answer = { status: number | 'none'; text: string; milliseconds: number }

/** How readers and callers reach one host, whatever the name in the URL. */
export function routeTo(address: string) {
  const dispatcher = new Agent({
    connections: 64,
    connect: { timeout: 2_000, lookup: (_name, _options, done) => done(null, [{ address, family: 4 }]) },
  })
  const reach = ((url: string, request: object) =>
    fetchThrough(url, { ...request, dispatcher })) as unknown as typeof fetch
  return {
    /** A `fetch` that connects to this host. */
    reach,
    /** Reads a page as a reader does. `none`: there was no response. */
    get: async (url: string): Promise<Answer> => {
      const startedAt = performance.now()
      const spent = () => Math.round(performance.now() - startedAt)
      try {
        const response = await reach(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
        return { status: response.status, text: await response.text(), milliseconds: spent() }
      } catch (error) {
        const { cause = error } = error as { cause?: unknown }
        return { status: 'none', text: String(cause), milliseconds: spent() }
      }
    },
  }
}
