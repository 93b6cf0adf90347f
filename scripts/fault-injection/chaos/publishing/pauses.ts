import { newBucketSettings, startObjectStore } from '../../../../tooling/services/object-store.ts'
import type { EnvironmentOptions } from '../environment.ts'
import { anyDuration, disturbInTurn } from './disturb-in-turn.ts'
import { type Disturb, publishWhile } from './run.ts'

type Options = { pauses: number; longest: number; seconds: number; rate: number }

/**
 * Stops processes with SIGSTOP and lets them continue with SIGCONT, as a paused virtual machine or a hung disk would,
 * while posts are submitted, edited, deleted and removed. A process that continues does not know that time has passed.
 */
export const pauseProcesses = (options: Options) => pauseWith(options, {})

/** The same with pages in a bucket of a real S3 server. */
export const pauseProcessesWithBucket = async (options: Options) =>
  pauseWith(options, await newBucketSettings(await startObjectStore()))

const pauseWith = ({ pauses, longest, seconds, rate }: Options, settings: EnvironmentOptions['settings']) => {
  const disturb: Disturb<{ pauses: unknown }> = async ({ apis, workers, models, gateway }, signal) => {
    const all = [...apis, ...workers, ...models, gateway].map(({ name, pause }) => ({
      name,
      run: () => pause(anyDuration(longest)),
    }))
    return { pauses: await disturbInTurn(all, { count: pauses, gapMs: (seconds * 1_000) / pauses, signal }) }
  }
  return publishWhile({ posts: seconds * rate, rate }, disturb, settings && { settings })
}
