import { paragraphs } from '../../contract/fields.ts'
import { countCodePoints } from '../../contract/text/text.ts'

/** Sixteen per word, more than any language needs. Without this limit, one word could fill a request. */
const maxCharacters = 40_000

/** Paragraphs with a minimum and a maximum number of words in any language, counted by UAX #29. */
export const proseField = (minWords: number, maxWords: number) =>
  paragraphs(0, maxCharacters)
    .check((context) => {
      // The text is already rejected for its length, so segmenting it would only cost time.
      if (countCodePoints(context.value) > maxCharacters) return
      const words = countWords(context.value)
      if (words >= minWords && words <= maxWords) return
      const range = `${minWords.toLocaleString('en')} to ${maxWords.toLocaleString('en')}`
      const message = `must have ${range} words, but has ${words.toLocaleString('en')}`
      context.issues.push({ code: 'custom', message, input: context.value, continue: true })
    })
    // A word has at least one character.
    .meta({ minLength: minWords })

/** The number of UAX #29 words in a text. Separators such as a dash or an emoji do not count. */
export function countWords(text: string): number {
  let count = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++
  return count
}

/** About the same number, for display. In plain English, it takes a tenth of the time, which counts in lists of posts. */
export const countRoughly = (text: string): number =>
  isAscii.test(text) ? (text.match(asciiWords)?.length ?? 0) : countWords(text)

const isAscii = /^[^\u0080-\uffff]*$/
const asciiWords = /\w+(?:['.,:]\w+)*/g

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
