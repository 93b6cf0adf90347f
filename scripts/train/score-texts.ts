import { prepareText } from '../../src/model-server/local/prepare-text.ts'
import { highestLogits, probabilitiesOf, sumLogits } from '../../src/model-server/local/score.ts'
import type { CategoryWeights } from '../../src/model-server/local/weights.ts'
import { splitWindows } from '../../src/model-server/local/windows.ts'
import type { Vectors } from './embed-texts.ts'

/** The parts of a text that the shipped model would look at. */
export const partsOf = (text: string): string[] => splitWindows(prepareText(text)).parts

/** Probabilities in the order of the learnt categories, as the shipped code gives them, from vectors made before. */
export function scoreTexts(weights: CategoryWeights, texts: readonly string[], vectors: Vectors): number[][] {
  return texts.map((text) => {
    const logits = partsOf(text).map((part) => sumLogits(weights, part, vectors.of(part)))
    return [...probabilitiesOf(weights, highestLogits(logits, weights.partMargin))]
  })
}
