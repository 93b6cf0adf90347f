import { anyDuration, disturbInTurn } from './disturb-in-turn.ts'
import { publishWhile } from './run.ts'

type Options = { pauses: number; longest: number; seconds: number; rate: number }

/**
 * Stops processes with SIGSTOP and lets them continue with SIGCONT, as a paused virtual machine or a hung disk would,
 * while posts are submitted, edited, deleted and removed. A process that continues does not know that time has passed.
 */
export const pauseProcesses = ({ pauses, longest, seconds, rate }: Options) =>
  publishWhile({ posts: seconds * rate, rate }, async ({ apis, workers, models, gateway }, signal) => {
    const all = [...apis, ...workers, ...models, gateway].map(({ name, pause }) => ({
      name,
      run: () => pause(anyDuration(longest)),
    }))
    return { pauses: await disturbInTurn(all, { count: pauses, gapMs: (seconds * 1_000) / pauses, signal }) }
  })
