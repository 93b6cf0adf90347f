import { randomFor } from '../../../tooling/random.ts'
import type { EvalPost } from './read-set.ts'

/** The same items in random order, reproducible by seed. */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const random = randomFor(seed, items.length)
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const kept = shuffled[last] as Item
    shuffled[last] = shuffled[other] as Item
    shuffled[other] = kept
  }
  return shuffled
}

/**
 * Chooses violating posts, about the same number from each category. Excludes low quality, because a good text around
 * such a post makes it acceptable.
 */
export function chooseViolating(posts: readonly EvalPost[], count: number, seed: number): EvalPost[] {
  const abusive = posts.filter(({ violating, category }) => violating && category !== 'low_quality')
  const byCategory = Object.values(Object.groupBy(shuffle(abusive, seed), ({ category }) => String(category)))
  const chosen: EvalPost[] = []
  for (let round = 0; chosen.length < Math.min(count, abusive.length); round++)
    for (const own of byCategory) {
      const next = own?.[round]
      if (next && chosen.length < count) chosen.push(next)
    }
  return chosen
}
