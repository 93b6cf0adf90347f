import { type Random, randomFor } from '../fuzz/random.ts'
import { contentWords, functionWords } from './real-words.ts'
import { zipf } from './zipf.ts'

export type Language = keyof typeof functionWords

const size = 150_000
/** About what is measured in English prose. */
const exponent = 1.05

/**
 * In the first ranks only function words stand, which searches leave out; then subjects, so that there are words which
 * one post in ten has; then both in turns.
 */
const leadingFunctionWords = 17
const leadingContentWords = 40

export type Vocabulary = ReturnType<typeof makeVocabulary>

/** The words of all posts by rank, real ones first, then pronounceable ones that nobody has ever used. */
export function makeVocabulary(seed: number) {
  const { words, isFunction } = realWords()
  const known = new Set(words)
  const random = randomFor(seed, -1)
  while (words.length < size) {
    const word = inventWord(random, words.length)
    if (known.has(word)) continue
    known.add(word)
    words.push(word)
  }
  const ranks = zipf(size, exponent)
  return {
    words: words as readonly string[],
    /** How likely a word of a text is to be the one of this rank. */
    shareOf: ranks.shareOf,
    /** Those that mean something. */
    subjects: words.filter((_, rank) => !isFunction[rank]) as readonly string[],
    /** A text in another language has that language's function words, and the same subjects. */
    draw: (random: Random, language: Language): string => {
      const rank = ranks.draw(random)
      if (language === 'en' || !isFunction[rank]) return String(words[rank])
      const own = functionWords[language]
      return String(own[rank % own.length])
    },
  }
}

function realWords() {
  const functions = [...new Set<string>(functionWords.en)]
  const contents = [...new Set(contentWords)].filter((word) => !functions.includes(word))
  const words = [...functions.splice(0, leadingFunctionWords), ...contents.splice(0, leadingContentWords)]
  const isFunction = words.map((_, rank) => rank < leadingFunctionWords)
  while (functions.length + contents.length > 0) {
    for (const source of [functions, contents]) {
      const word = source.shift()
      if (word === undefined) continue
      words.push(word)
      isFunction.push(source === functions)
    }
  }
  return { words, isFunction }
}

const starts = 'b d f g k l m n p r s t v z br dr fl gr kl pl st tr'.split(' ')
const vowels = 'a e i o u ai ou'.split(' ')

/** The rarer a word, the longer. */
function inventWord(random: Random, rank: number): string {
  const syllables = (rank < 3_000 ? 2 : 3) + random.below(2)
  const body = Array.from({ length: syllables }, () => random.pick(starts) + random.pick(vowels)).join('')
  return body + random.pick(['', '', 'n', 'r', 's', 't', 'l'])
}
