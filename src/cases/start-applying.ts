import { type Applying, applyDue } from './apply.ts'

/** A decision is carried out so much later than it may be, at most. */
const usualMs = 1_000
/** One that failed is left alone for so many rounds. */
const roundsToRest = 30

/** Looks every second for decisions whose time to be undone is over. Any number of workers may. */
export function startApplying(parts: Applying, intervalMs = usualMs): AsyncDisposable {
  const resting = new Map<string, number>()
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let wake: (() => void) | undefined
  const round = async (): Promise<boolean> => {
    for (const [key, rounds] of resting) rounds > 1 ? resting.set(key, rounds - 1) : resting.delete(key)
    try {
      const { failed, isMore } = await applyDue(parts, new Set(resting.keys()))
      for (const key of failed) resting.set(key, roundsToRest)
      return isMore
    } catch (error) {
      parts.logger.warn({ error }, 'decisions of the desk could not be looked for')
      return false
    }
  }
  const loop = async () => {
    while (!isOver) {
      if ((await round()) || isOver) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, intervalMs)
      })
    }
  }
  const running = loop()
  return {
    [Symbol.asyncDispose]: async () => {
      isOver = true
      clearTimeout(timer)
      wake?.()
      await running
    },
  }
}
