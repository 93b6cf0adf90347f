import type { LocalModel, LocalScores } from '../../src/model-server/local/local-model.ts'
import { thresholds } from '../../src/moderation/thresholds.ts'
import { policyCategoryIds } from '../../src/policy/policy.ts'

const nothing = Object.fromEntries(policyCategoryIds.map((id) => [id, 0])) as LocalScores

/** Sees nothing in any text: tests of what follows from a verdict ask for it by a test word, and need no weights. */
export const quietModel: LocalModel = {
  name: 'quiet',
  version: thresholds.model,
  score: async (texts) => texts.map(() => ({ scores: nothing, overall: 0, judged: true })),
  [Symbol.asyncDispose]: async () => {},
}
