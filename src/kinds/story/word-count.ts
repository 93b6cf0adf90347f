import { paragraphs } from '../../contract/fields.ts'
import { countCodePoints } from '../../contract/text/text.ts'

/** Sixteen a word, which is more than any language needs; without it one word could fill a request. */
const maxCharacters = 40_000

/** Paragraphs of so many words, in whatever language: counted as UAX #29 divides them. */
export const proseField = (minWords: number, maxWords: number) =>
  paragraphs(0, maxCharacters)
    .check((context) => {
      // Such a text is refused already; dividing it would cost more than it tells.
      if (countCodePoints(context.value) > maxCharacters) return
      const words = countWords(context.value)
      if (words >= minWords && words <= maxWords) return
      const range = `${minWords.toLocaleString('en')} to ${maxWords.toLocaleString('en')}`
      const message = `must have ${range} words, and has ${words.toLocaleString('en')}`
      context.issues.push({ code: 'custom', message, input: context.value, continue: true })
    })
    // A word has at least one character.
    .meta({ minLength: minWords })

/** How many words a text has in UAX #29; what stands between them, such as a dash or an emoji, is none. */
export function countWords(text: string): number {
  let count = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++
  return count
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
