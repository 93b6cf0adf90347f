import { waitFor } from './state.ts'

/** Ten times the start time on two idle cores, because every process has to wait on a busy machine. */
const startLimitMs = 300_000

/** The service did not start. The message is for the person who started it, who needs no stack trace. */
export class NotReady extends Error {}

type Options = { isRunning: () => boolean; timeoutMs?: number }

/** Waits until all addresses respond. Gives up immediately if the service exits. */
export async function untilAnswering(urls: readonly string[], { isRunning, timeoutMs = startLimitMs }: Options) {
  let silent = urls
  const isOver = async () => {
    if (!isRunning()) return true
    const answered = await Promise.all(urls.map((url) => answers(url).catch(() => false)))
    silent = urls.filter((_, index) => !answered[index])
    return silent.length === 0
  }
  try {
    await waitFor(isOver, 'the service to answer', timeoutMs)
  } catch {
    throw new NotReady(`No response from ${silent.join(', ')} within ${timeoutMs / 1_000} s.`)
  }
  if (!isRunning()) throw new NotReady('The service exited while starting.')
}

export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  await response.body?.cancel()
  return response.ok
}

/**
 * Prints the error and what to do next, and makes the command fail. Other errors are bugs and keep their stack trace.
 */
export function explainNotReady(error: unknown, nextSteps: string): void {
  if (!(error instanceof NotReady)) throw error
  console.error(`\n${error.message}\n${nextSteps}`)
  process.exitCode = 1
}
