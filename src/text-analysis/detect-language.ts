import { type Language, languageNames, languages } from './languages.ts'

/** Enough to tell a language by; more would only cost time. */
const examined = 300

/**
 * The language that a text of these folded words is in, as far as its function words tell it clearly; else null. A wrong
 * guess takes wrong endings off, and an honest null leaves the words as they are.
 */
export function detectLanguage(words: readonly string[]): Language | null {
  const sample = words.slice(0, examined)
  const [best, second] = languageNames
    .map((language) => ({ language, hits: countIn(sample, languages[language].functionWords) }))
    .sort((one, other) => other.hits - one.hits)
  if (!best || !second || best.hits < sample.length * leastShare) return null
  const isClear = second.hits === 0 ? best.hits > 0 : best.hits >= 2 && best.hits >= second.hits * leastLead
  return isClear ? best.language : null
}

/** In running text between a fifth and a half of the words are such; in a list of names there are next to none. */
const leastShare = 0.1

/** Relatives, such as Danish and Norwegian or Spanish and Portuguese, have half of them in common. */
const leastLead = 1.15

const countIn = (words: readonly string[], set: ReadonlySet<string>): number =>
  words.reduce((count, word) => (set.has(word) ? count + 1 : count), 0)
