import type { Encode, Encoded } from './encoder/compare.ts'
import { isInListedLanguage, isPerhapsEnglish } from './features/language.ts'
import { cutText, prepareText } from './features/prepare-text.ts'
import { splitWindows } from './features/windows.ts'
import { type ReadText, withReason } from './join-scores.ts'
import type { LocalAnswer } from './local-model.ts'
import { scoreParts } from './scoring/score.ts'
import type { Weights } from './scoring/weights.ts'

/** Scores all texts of one request. Their parts are encoded together, each only once. */
export async function answerTexts(weights: Weights, encode: Encode, texts: readonly string[]): Promise<LocalAnswer[]> {
  const read = texts.map(readTextParts)
  // Texts of similar length are batched together, because the encoder pads shorter texts.
  const parts = [...new Set(read.flatMap((text) => text.parts))].sort((one, other) => one.length - other.length)
  const encoded = await encode(parts)
  const encodedOf = new Map(parts.map((part, index) => [part, encoded[index] as Encoded]))
  return read.map((text) => answerText(weights, text, (part) => encodedOf.get(part) as Encoded))
}

export function readTextParts(text: string): ReadText {
  const prepared = prepareText(text)
  const language = isPerhapsEnglish(prepared) ? 'english' : 'other'
  // The scores of the parts would be ignored, so one part is enough.
  if (language === 'other' && !isInListedLanguage(prepared))
    return { parts: [cutText(prepared)], language, reason: 'language' }
  const { parts, isComplete } = splitWindows(prepared)
  return isComplete ? { parts, language } : { parts, language, reason: 'length' }
}

export function answerText(weights: Weights, read: ReadText, encodedOf: (part: string) => Encoded): LocalAnswer {
  return withReason(read, scoreParts(weights, read, read.parts.map(encodedOf)))
}
