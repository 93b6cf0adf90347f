import type { PolicyCategoryId } from '../../../src/policy/policy.ts'
import { type EvalModel, noScores } from '../models/open-model.ts'
import type { EvalPost } from './read-set.ts'

/** A model for tests that detects the category named in the text: `spam0.7` scores 0.7 for spam. */
export const standInModel = (): EvalModel => ({
  name: 'stand-in',
  version: '0123456789ab',
  textsAtOnce: 2,
  score: async (texts) =>
    texts.map((text) => {
      const named = [...text.matchAll(/([a-z_]+?)(0\.\d+|1\.0)/g)].map(([, id, score]) => [id, Number(score)])
      const scores = { ...noScores, ...Object.fromEntries(named) } as typeof noScores
      return { scores, overall: Math.max(...Object.values(scores)), judged: !text.includes('unreadable') }
    }),
  async [Symbol.asyncDispose]() {},
})

/** A post for tests, as a set contains it. */
export const postOf = (text: string, category: PolicyCategoryId | null = null, violating = false): EvalPost => ({
  id: `${category ?? 'clean'}-${text.length}`,
  kind: 'message',
  parts: [{ field: 'text', text }],
  category,
  violating,
  near: category !== null && !violating,
  author: 'house',
  language: 'en',
  sealed: true,
})
