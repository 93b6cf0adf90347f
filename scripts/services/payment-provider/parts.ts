import type { Store } from './store.ts'
import type { Webhooks } from './webhooks.ts'

/** What every action at the double works on. */
export type Parts = { store: Store; webhooks: Webhooks; now: () => Date; origin: () => string }

export const secondsOf = (now: () => Date) => Math.floor(now().getTime() / 1_000)
