import { inEachPart, type Rule } from './rule.ts'
import { withoutLinks, wordsOf } from './words.ts'

export const repeatedText: Rule = {
  id: 'repeated_text',
  category: 'low_quality',
  summary:
    'One character, word, sentence or paragraph repeated for most of the text. Refrains, lists of similar items, ' +
    'timetables and rows of dots or dashes pass.',
  find: inEachPart(({ field, text }) => {
    if (isMostlyOneCharacter(text)) {
      return `\`${field}\` mostly repeats one character. Remove the repetition.`
    }
    const words = wordsOf(withoutLinks(text).toLowerCase())
    if (words.length < longish) return null
    const numbers = numbersOf(words)
    if (!isMostlyOneWord(words, numbers) && !isMostlyOneLoop(words, numbers)) return null
    return `\`${field}\` mostly repeats the same words. Write them only once.`
  }),
}

/** Fewer words may be a cheer or a laugh. */
const longish = 20

/**
 * Whether runs of 20 or more equal characters make up 85 % of the text. Half would be too strict: a short text may
 * explain a placeholder (`sk_live_xxxx…`) or a blockchain's zero address, and people stretch words to shout. Of all
 * punctuation, only `!` and `?` count: dots, dashes and lines separate text, lead to a price or leave space to write.
 */
function isMostlyOneCharacter(text: string): boolean {
  const counted = text.replaceAll('\uFE0F', '')
  const rows = counted.match(row)
  return rows !== null && rows.join('').length > 0.85 * counted.replaceAll(uncounted, '').length
}

const characters = String.raw`\p{L}\p{M}\p{N}\p{Extended_Pictographic}!?！？`
const row = new RegExp(String.raw`([${characters}])\1{19,}`, 'gu')
const uncounted = new RegExp(`[^${characters}]`, 'gu')

/** Equal words get equal numbers, starting at 0. */
function numbersOf(words: readonly string[]): Int32Array {
  const numbers = new Map<string, number>()
  const numbered = words.map((word) => {
    const number = numbers.get(word) ?? numbers.size
    if (number === numbers.size) numbers.set(word, number)
    return number
  })
  return new Int32Array(numbered)
}

function isMostlyOneWord(words: readonly string[], numbers: Int32Array): boolean {
  const counts = new Int32Array(numbers.length)
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1
  const most = counts.findIndex((count) => count > 0.7 * words.length)
  return most >= 0 && !filler.test(words[numbers.indexOf(most)] ?? '')
}

// Numbers and single letters fill tables, matrices and boards, so their repetition means nothing.
const filler = /^(?:\p{N}+|\p{Ll})$/u

/**
 * Whether one stretch of words is a loop: five or more rounds of exactly the same words, of any length, over at least
 * 60 % of the text. Songs and lists repeat words too, but with others in between. Such a stretch covers the word at 40
 * % of the text and the word one round later. So it is enough to check, from there in both directions, how far the text
 * equals itself shifted by one round, which takes linear time for all lengths.
 */
function isMostlyOneLoop(words: readonly string[], forwards: Int32Array): boolean {
  const count = words.length
  const backwards = forwards.toReversed()
  const anchor = Math.floor(0.4 * count)
  const ahead = matchLengths(forwards.subarray(anchor), forwards)
  const behind = matchLengths(backwards.subarray(count - anchor), backwards)
  for (let round = 1; round <= count / 5; round++) {
    const stretch = round + (ahead[anchor + round] ?? 0) + (behind[count - anchor - round] ?? 0)
    if (stretch < 5 * round || stretch < 0.6 * count) continue
    return !words.slice(anchor, anchor + round).every((word) => filler.test(word))
  }
  return false
}

/** For each position, how much of the text equals the beginning of the pattern: the Z function. */
function matchLengths(pattern: Int32Array, text: Int32Array): Int32Array {
  const both = new Int32Array(pattern.length + 1 + text.length).fill(-1)
  both.set(pattern)
  both.set(text, pattern.length + 1)
  const lengths = new Int32Array(both.length)
  let [start, end] = [0, 0]
  for (let index = 1; index < both.length; index++) {
    let length = index < end ? Math.min(end - index, lengths[index - start] ?? 0) : 0
    while (index + length < both.length && both[length] === both[index + length]) length++
    if (index + length > end) [start, end] = [index, index + length]
    lengths[index] = length
  }
  return lengths.subarray(pattern.length + 1)
}
