import { foldWord } from './fold.ts'

/** Letters of scripts that put no spaces between words, for use inside a class of a regular expression with the flag v. */
export const unspaced = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`

/** A word, what it is compared by, and where it stands in its text, in UTF-16 units. */
export type Word = { text: string; folded: string; start: number; end: number }

/**
 * The words of a text, in order, in linear time: each begins with a letter or a digit, and has something to compare by.
 * An apostrophe divides, so that `l'eau` is found by `eau`. In scripts without spaces each character is a word, and a row
 * of them is looked for as a phrase: the dictionary of `Intl.Segmenter` finds true words, but others with each version of
 * ICU, and stored words must be found for years.
 */
export function* splitWords(text: string): Generator<Word> {
  for (const { 0: found, index } of rawWords(text)) {
    const folded = foldWord(found)
    if (folded !== '') yield { text: found, folded, start: index, end: index + found.length }
  }
}

/** The same with nothing found out about them; some may have nothing to compare by. */
export const rawWords = (text: string) => text.matchAll(isAscii.test(text) ? asciiWord : word)

/** In plain English the same words, three times as fast. */
const isAscii = /^[^\u0080-\uffff]*$/
const asciiWord = /[A-Za-z0-9]+/g

const spaced = String.raw`[\p{L}\p{N}]--[${unspaced}&&\p{L}]`
const word = new RegExp(String.raw`[${unspaced}&&[\p{L}\p{N}]]\p{M}*|[${spaced}][[${spaced}]\p{M}]*`, 'gv')
