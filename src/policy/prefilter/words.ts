import type { TextPart } from '../../contract/text/text.ts'
import { unspaced } from '../../text-analysis/split-words.ts'

/**
 * The words of a text, in order, in linear time. In scripts that put no spaces between words each character counts as
 * one. The dictionary of `Intl.Segmenter` would find the true words, but it is slower, and it changes with each version
 * of ICU, so that the signature of a stored text would no longer be that of the same text sent again.
 */
export function wordsOf(text: string): string[] {
  return text.match(word) ?? []
}

const word = new RegExp(
  String.raw`[${unspaced}&&[\p{L}\p{N}]]\p{M}*|(?:[[\p{L}\p{M}\p{N}]--[${unspaced}&&\p{L}]]|(?<=\p{L})['’](?=\p{L}))+`,
  'gv',
)

/** The text around its links: what people wrote themselves. */
export function withoutLinks(text: string): string {
  return text.replaceAll(link, ' ')
}

// Ends where plain ASCII ends, unlike the link that is charged: Chinese or Thai often follows a link without a space.
const link = /https?:\/\/[[!-~]--[<>"`]]+/giv

/** The texts that somebody wrote for this post. Topics are labels, many posts share them. */
export function withoutTopics(parts: readonly TextPart[]): TextPart[] {
  return parts.filter(({ field }) => !/^\W*topics\b/.test(field))
}
