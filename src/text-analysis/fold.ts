/** Removes compatibility forms, case and accents. Keeps vowel signs: Hindi and Tamil words need them. */
export function fold(text: string): string {
  const folded = foldCase(text.replaceAll(markPile, '$1'))
  // Case is folded again after decomposition, because bold and wide capitals have no case before it.
  return foldCase(folded.normalize('NFKD').replaceAll(accent, ''))
}

/**
 * Folds a word for search. Spells out letters that have no decomposition and are missing on many keyboards. Keeps only
 * letters, marks and digits (`ﷺ` and `⑴` expand to others too), and limits the length.
 */
export function foldWord(word: string): string {
  if (isPlain.test(word)) return word.toLowerCase().slice(0, longest)
  const spelled = fold(word).replaceAll(ligature, (letter) => spelledOut[letter] ?? letter)
  return Array.from(spelled.replaceAll(beside, '')).slice(0, longest).join('')
}

const longest = 64
const isPlain = /^[A-Za-z0-9]*$/
const spelledOut: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' }
const ligature = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'g')
const beside = /[^\p{L}\p{M}\p{N}]/gu

/** Upper and lower case, because `ẞ` becomes `ß` and only then `SS`. The form of a sigma depends on the next letter. */
const foldCase = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')

// Sorting many combining marks takes quadratic time: see `contract/text.ts`.
const markPile = /(\p{M}{30})\p{M}+/gu
const accent = /[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}]]/gv
