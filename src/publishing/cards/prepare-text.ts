/** Longer texts are cut before anything else looks at them, so that the time for a card has a limit. */
const mostUnits = 8_000

/** The longest joined emoji, a family with skin tones, has 23 units. A longer cluster is an attack. */
const mostUnitsOfLetter = 28

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The letters of a text as people count them: with their marks, and a joined emoji as one. */
export const lettersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

/**
 * Text that cannot break a card: one line, at most `most` letters, no controls, no characters that change the direction
 * of others, and few marks on a letter, because many would draw a tower over the whole card.
 */
export function prepareText(text: string, most: number): string {
  const plain = text
    .slice(0, mostUnits)
    .toWellFormed()
    .replace(invisible, '')
    .replace(strayTags, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(styledLetters, (letter) => letter.normalize('NFKC'))
    .replace(accents, '$1')
    .replace(marks, '$1')
    // The font joins these emoji only without the selector.
    .replace(/\ufe0f(?=\u200d)/g, '')
    .trim()
  const letters = lettersOf(plain.slice(0, most * mostUnitsOfLetter)).map(cutLetter)
  return letters.length > most ? `${letters.slice(0, most).join('').trimEnd()}…` : letters.join('')
}

/**
 * Format characters, except the two joiners, which emoji and some scripts need, and tags; blank characters that are not
 * spaces; private, unassigned and replacement characters.
 */
const invisible =
  /(?![\u200c\u200d]|[\u{e0020}-\u{e007f}])\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\u034f|[\u115f\u1160\u2800\u3164\uffa0\ufffc\ufffd]|[\u17b4\u17b5]|[\u180b-\u180f]/gu

/** Tags are invisible text, unless they belong to a flag such as that of Scotland. */
const strayTags = /(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,6})[\u{e0020}-\u{e007f}]/gu

/** Letters for formulas, in circles and as wide as Chinese ones. People use them to imitate styles. */
const styledLetters = /[\u{1d400}-\u{1d7ff}\u24b6-\u24e9\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/gu

/** More accents than Vietnamese has, and more marks than Burmese has. */
const accents = /([\p{M}&&\p{Script=Inherited}]{2})[\p{M}&&\p{Script=Inherited}]+/gv
const marks = /(\p{M}{4})\p{M}+/gu

function cutLetter(letter: string): string {
  if (letter.length <= mostUnitsOfLetter) return letter
  return String.fromCodePoint(letter.codePointAt(0) ?? 0)
}

/** True if the text begins, apart from signs and digits, with a script that is written from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)

/** True if most letters are Chinese or Japanese, for which we have no bold font. */
export function isMostlyHan(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return 2 * count(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu) > count(/\p{L}/gu)
}
