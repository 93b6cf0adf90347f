import { malwarePhishing, scamFraud, spam } from './categories/deceit.ts'
import { illegalGoods, selfHarm, violenceThreats } from './categories/harm.ts'
import { impersonation, personalData, promptInjection } from './categories/integrity.ts'
import { hateHarassment, sexual, sexualMinors } from './categories/people.ts'
import { lowQuality, qualityBar } from './categories/quality.ts'
import type { PolicyCategory } from './category.ts'

export { type PolicyCategory, type PolicyCategoryId, policyCategoryIds } from './category.ts'

export type QualityRule = { readonly id: string; readonly rule: string }

export type Policy = {
  /** The day it takes effect. Every decision records the version it was made under. */
  readonly version: string
  readonly effective_at: string
  readonly quality_bar: readonly QualityRule[]
  readonly categories: readonly PolicyCategory[]
}

/**
 * What may be published. `/v1/policy`, `/policy.json` and the judge all use this object. Every change requires a new
 * version.
 */
export const policy: Policy = {
  version: '2026-11-15',
  effective_at: '2026-11-15T00:00:00Z',
  quality_bar: qualityBar,
  categories: [
    hateHarassment,
    sexual,
    sexualMinors,
    violenceThreats,
    selfHarm,
    illegalGoods,
    scamFraud,
    spam,
    malwarePhishing,
    promptInjection,
    personalData,
    impersonation,
    lowQuality,
  ],
}

/** True if a violation costs ten times the price and adds a strike. */
export const isAbusive = (category: string | null): boolean =>
  policy.categories.some(({ id, abusive }) => id === category && abusive)
