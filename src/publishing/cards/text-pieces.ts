import { lettersOf } from './prepare-text.ts'

const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Signs that must not end a line: opening brackets and quotation marks. */
const opens = /^[\p{Ps}\p{Pi}¿¡]+$/u
/** Scripts without spaces, in which a line can break between words, and emoji. */
const breaks =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{Regional_Indicator}]/u
const breaksAfter = /[-/–—]$/

/** The parts of a text between which a line can break. A sign stays with the word that it belongs to. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let opening = ''
  for (const { segment, isWordLike } of words.segment(text)) {
    const last = pieces.at(-1) ?? ' '
    const isWord = isWordLike || breaks.test(segment)
    const canBreak = last.trim() === '' || breaksAfter.test(last) || breaks.test(last) || breaks.test(segment)
    if (segment.trim() === '' || (isWord && (canBreak || opening !== ''))) {
      pieces.push(opening + segment)
      opening = ''
    } else if (opening !== '' || opens.test(segment) || (last.trim() === '' && !isWord)) opening += segment
    else pieces[pieces.length - 1] = last + segment
  }
  return opening === '' ? pieces : [...pieces, opening]
}

/** A piece of a text and its width. The width of a line is the sum of its pieces, because a word ends at each. */
export type TextPiece = { text: string; width: number }

/** Lets a line break within the words that are wider than a whole line. */
export const splitWide = (
  pieces: readonly TextPiece[],
  width: number,
  measure: (text: string) => number,
): TextPiece[] =>
  pieces.flatMap((piece) =>
    piece.width > width ? lettersOf(piece.text).map((text) => ({ text, width: measure(text) })) : [piece],
  )

/** Breaks a text into lines that are no wider than `width`. */
export function breakLines(pieces: readonly TextPiece[], width: number): TextPiece[] {
  const lines: TextPiece[] = []
  let line: TextPiece = { text: '', width: 0 }
  let space: TextPiece = line
  for (const piece of pieces) {
    const isSpace = piece.text.trim() === ''
    if (isSpace) space = line.text === '' ? { text: '', width: 0 } : piece
    else {
      const isFull = line.text !== '' && line.width + space.width + piece.width > width
      if (isFull) lines.push(line)
      line = isFull
        ? { ...piece }
        : { text: line.text + space.text + piece.text, width: line.width + space.width + piece.width }
      space = { text: '', width: 0 }
    }
  }
  return line.text === '' ? lines : [...lines, line]
}

/** The beginning of a line that is no wider than `width`, with an ellipsis if something is missing. */
export function cutLine(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  const letters = lettersOf(text)
  const upTo = (count: number) => `${letters.slice(0, count).join('').trimEnd()}…`
  let [low, high] = [0, letters.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(upTo(middle)) <= width) low = middle
    else high = middle - 1
  }
  return upTo(low)
}
