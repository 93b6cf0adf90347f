import { type Language, languageNames, languages } from './languages.ts'

/** Enough to detect a language; more would only take time. */
const examined = 300

/**
 * The language of these folded words if their function words identify it clearly; otherwise null. A wrong guess would
 * remove the wrong endings, while null leaves the words unchanged.
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

/** In running text, a fifth to a half of the words are function words. A list of names has almost none. */
const leastShare = 0.1

/** Related languages, such as Danish and Norwegian or Spanish and Portuguese, share half of their function words. */
const leastLead = 1.15

const countIn = (words: readonly string[], set: ReadonlySet<string>): number =>
  words.reduce((count, word) => (set.has(word) ? count + 1 : count), 0)
