import type { TextPart } from '../../contract/text/text.ts'
import { unspaced } from '../../text-analysis/split-words.ts'

/**
 * The words of a text, in order, in linear time. In scripts without spaces, each character counts as a word.
 * `Intl.Segmenter` would find the real words, but it is slower, and its dictionary changes with each ICU version, so
 * the signature of a stored text would no longer match the same text sent again.
 */
export function wordsOf(text: string): string[] {
  return text.match(word) ?? []
}

const word = new RegExp(
  String.raw`[${unspaced}&&[\p{L}\p{N}]]\p{M}*|(?:[[\p{L}\p{M}\p{N}]--[${unspaced}&&\p{L}]]|(?<=\p{L})['’](?=\p{L}))+`,
  'gv',
)

/** The text without its links: what the author wrote. */
export function withoutLinks(text: string): string {
  return text.replaceAll(link, ' ')
}

// A link ends at the first non-ASCII character here, unlike a charged link: Chinese or Thai text often follows a link
// without a space.
const link = /https?:\/\/[[!-~]--[<>"`]]+/giv

/** The texts written for this post. Topics are labels that many posts share. */
export function withoutTopics(parts: readonly TextPart[]): TextPart[] {
  return parts.filter(({ field }) => !/^\W*topics\b/.test(field))
}
