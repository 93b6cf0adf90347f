import { latinOf, lookalike } from './lookalikes.ts'

/** A word as the rules see it. */
export type FoldedWord = {
  text: string
  /** How many words stand in the quotation around it; 0 outside of one. */
  quoted: number
}

/**
 * Takes disguises off: case, width, accents, letters of other alphabets, digits for letters, and letters set apart all
 * fold into plain words. Linear in the length of the text.
 */
export function foldWords(text: string): FoldedWord[] {
  return joinSpacedLetters(splitWords(foldCharacters(text)))
}

/** The folded words alone. */
export const foldedTexts = (text: string): string[] => foldWords(text).map((word) => word.text)

function foldCharacters(text: string): string {
  const plain = takeOffMarks(text)
  return isMostlyLatin(plain) ? withLatin(plain) : plain
}

/** Marks go first: sorting a long pile of them is what would take quadratic time in `normalize`. */
const takeOffMarks = (text: string): string =>
  text.replaceAll(hidden, '').normalize('NFKD').replaceAll(hidden, '').toLowerCase()

const withLatin = (text: string): string => text.replaceAll(lookalike, (letter) => latinOf(letter) ?? letter)

/** The same words as `foldWords`, each with its place in the text as it was written. Slower, and linear as well. */
export function placeWords(text: string): PlacedWord[] {
  const characters = [...text].map((character) => ({ length: character.length, plain: takeOffMarks(character) }))
  const isLatin = isMostlyLatin(characters.map(({ plain }) => plain).join(''))
  const parts: string[] = []
  /** For each unit of the folded text, where the character that it comes from starts and ends. */
  const [starts, ends]: [number[], number[]] = [[], []]
  let at = 0
  for (const { length, plain } of characters) {
    parts.push(isLatin ? withLatin(plain) : plain)
    for (let unit = 0; unit < plain.length; unit++) {
      starts.push(at)
      ends.push(at + length)
    }
    at += length
  }
  return joinSpacedLetters(splitWords(parts.join(''))).map((word) => ({
    ...word,
    start: Number(starts[word.start]),
    end: Number(ends[word.end - 1]),
  }))
}

const hidden = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu

/** A text in Greek or Russian is left in its own letters. */
function isMostlyLatin(text: string): boolean {
  const foreign = text.match(/[\u0370-\u052f]/gu)?.length ?? 0
  return foreign > 0 && foreign < (text.match(/[a-z]/g)?.length ?? 0)
}

/** A word and where it stands, in UTF-16 units; the end is not included. */
export type PlacedWord = FoldedWord & { start: number; end: number }

function splitWords(text: string): PlacedWord[] {
  const words: PlacedWord[] = []
  let quote: { closedBy: string; from: number } | null = null
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const closedBy = quoteMarks.get(piece)
    if (quote?.closedBy.includes(piece)) {
      const length = words.length - quote.from
      for (const word of words.slice(quote.from)) word.quoted = length
      quote = null
    } else if (closedBy) quote = { closedBy, from: words.length }
    // A quotation that was never closed ends with its paragraph and counts as none.
    else if (piece.startsWith('\n')) quote = null
    else {
      const word = unmask(piece)
      if (word !== '') words.push({ text: word, quoted: 0, start: index, end: index + piece.length })
    }
  }
  return words
}

const quoteMarks = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“”'],
  ['«', '»'],
  ['»', '«'],
])
const pieces = /["“”„«»]|\n{2,}|[\p{L}\p{N}@$'’]+/gu

/** `don’t` is one word, `p@ssw0rd` is a password, `200` stays a number, and `freeeee` loses what it has too much. */
function unmask(piece: string): string {
  const word = piece.replaceAll(/['’]/g, '').slice(0, longestWord)
  const hasLetters = /\p{L}/u.test(word)
  const plain = hasLetters
    ? word.replaceAll(/[0134578@$]/g, (sign) => letterOf[sign] ?? sign)
    : word.replace(/[@$]/g, '')
  return hasLetters ? plain.replaceAll(/(\p{L})\1{2,}/gu, '$1$1') : plain
}

/** The rest of a longer one says nothing more, and costs time. */
const longestWord = 64
const letterOf: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', $: 's' }

/** `k i l l` is one word: a row of four or more single letters with one sign between each and the next. */
function joinSpacedLetters(words: readonly PlacedWord[]): PlacedWord[] {
  const joined: PlacedWord[] = []
  for (let at = 0; at < words.length; ) {
    let end = at + 1
    while (isLetter(words[end - 1]) && isLetter(words[end]) && words[end]?.start === Number(words[end - 1]?.end) + 1)
      end++
    const row = words.slice(at, end)
    if (row.length >= 4)
      joined.push({
        ...(row[0] as PlacedWord),
        text: row.map(({ text }) => text).join(''),
        end: Number(row.at(-1)?.end),
      })
    else joined.push(...row)
    at = end
  }
  return joined
}

const isLetter = (word: PlacedWord | undefined): boolean => word !== undefined && /^\p{L}$/u.test(word.text)
