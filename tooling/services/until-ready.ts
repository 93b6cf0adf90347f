import { waitFor } from './state.ts'

/** Ten times what a start takes on two quiet cores: on a busy machine every process waits its turn. */
const startLimitMs = 300_000

/** The service did not come up. The message is for the person who started it, who needs no stack. */
export class NotReady extends Error {}

type Options = { isRunning: () => boolean; timeoutMs?: number }

/** Waits until all addresses answer. Gives up at once when the service has ended. */
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
    throw new NotReady(`Waited ${timeoutMs / 1_000} s, and there is no answer from ${silent.join(', ')}.`)
  }
  if (!isRunning()) throw new NotReady('The service ended while it was starting.')
}

export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  await response.body?.cancel()
  return response.ok
}

/** Prints what went wrong and what to do next, and makes the command fail. Other errors are bugs, and keep their stack. */
export function explainNotReady(error: unknown, nextSteps: string): void {
  if (!(error instanceof NotReady)) throw error
  console.error(`\n${error.message}\n${nextSteps}`)
  process.exitCode = 1
}
