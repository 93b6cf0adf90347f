import { partsOf, type Vectors } from '../../eval/embeddings/embed-texts.ts'
import { highestLogits, probabilitiesOf, sumLogits } from '../../server/local/scoring/score.ts'
import type { CategoryWeights } from '../../server/local/scoring/weights.ts'

/** Probabilities in the order of the learnt categories, computed by the shipped code from existing vectors. */
export function scoreTexts(weights: CategoryWeights, texts: readonly string[], vectors: Vectors): number[][] {
  return texts.map((text) => {
    const logits = partsOf(text).map((part) => sumLogits(weights, part, vectors.of(part)))
    return [...probabilitiesOf(weights, highestLogits(logits, weights.partMargin))]
  })
}
