import { setTimeout as sleep } from 'node:timers/promises'

/** A name for people, and the address that answers when it is ready. */
type Awaited = { name: string; url: string }
type Options = { isRunning: () => boolean; onWait?: (what: string) => void; signal?: AbortSignal }

/**
 * Waits until all addresses respond, however long a slow machine takes. Gives up if the service exits or the signal is
 * aborted. `onWait` is told what is missing.
 */
export async function untilAnswering(awaited: readonly Awaited[], { isRunning, onWait, signal }: Options) {
  for (;;) {
    signal?.throwIfAborted()
    if (!isRunning()) throw new Error('The service exited while starting.')
    const answered = await Promise.all(awaited.map(({ url }) => answers(url).catch(() => false)))
    const silent = awaited.filter((_, index) => !answered[index])
    if (silent.length === 0) return
    onWait?.(describe(silent))
    await sleep(25)
  }
}

/** One line, however many are missing. */
function describe([first, ...others]: readonly Awaited[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${first?.name} at ${first?.url}${more}`
}

export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  await response.body?.cancel()
  return response.ok
}
