/** Compatible forms, case and accents are gone. Vowel signs stay: in Hindi or Tamil a word is nothing without them. */
export function fold(text: string): string {
  const folded = foldCase(text.replaceAll(markPile, '$1'))
  // Once more afterwards: bold and wide capitals have no case before they are decomposed.
  return foldCase(folded.normalize('NFKD').replaceAll(accent, ''))
}

/**
 * The same for a word that is looked for. Letters that are no accented ones, and that many keyboards lack, are spelled
 * out. Only letters, marks and digits are left, which `ﷺ` and `⑴` have others beside; and no more of them than tell one
 * word from another.
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

/** There and back again, because `ẞ` becomes `ß` and only then `SS`. Which sigma it is depends on what follows. */
const foldCase = (text: string) => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')

// Sorting a pile of marks takes quadratic time: see `contract/text.ts`.
const markPile = /(\p{M}{30})\p{M}+/gu
const accent = /[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}]]/gv
