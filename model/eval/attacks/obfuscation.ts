import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import { canonicalise } from '../../../src/moderation/pipeline/canonicalise.ts'
import { applyRules } from '../../../src/moderation/rules/apply-rules.ts'
import type { PolicyCategoryId } from '../../../src/policy/policy.ts'
import { chooseViolating, shuffle } from '../data/choose-posts.ts'
import { outsideSets } from '../data/outside-sets.ts'
import type { EvalPost } from '../data/read-set.ts'
import { type EvalModel, textOf } from '../models/open-model.ts'

/** A way to write a text so that a program reads something different from a person. */
export type Obfuscation = { name: string; what: string; write: (text: string) => string }

/** A hundred harmless words without repetition, so that no repetition rule applies. */
export const harmlessWords = `The allotments behind the station open at seven, and by eight the first people are \
watering beans. Last week we repaired the bench near the pump and painted it green. Anna brought tomato plants, \
Jonas a barrow of compost, and somebody left a box of jars for the autumn. On Sunday the bees were moved to the far \
hedge, where they disturb nobody. If the weather holds, we will lift the potatoes on Thursday and cook soup for \
everyone who helps. Gloves are in the shed, the key hangs at the baker’s, and children are welcome to paint the signs.`

/** Letters that look the same in another alphabet. */
const lookAlikes: Record<string, string> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у' }
const digits: Record<string, string> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' }

const replaceLetters = (text: string, letters: Record<string, string>) =>
  text.replaceAll(/[a-z]/gi, (letter) => letters[letter.toLowerCase()] ?? letter)

const spaceLetters = (text: string) => text.replaceAll(/\S+/g, (word) => (word.length > 3 ? [...word].join(' ') : word))

export const obfuscations = {
  plain: { name: 'plain', what: 'as it was written', write: (text) => text },
  zeroWidth: {
    name: 'zero-width',
    what: 'a zero-width space between all letters',
    write: (text) => [...text].join('\u200b'),
  },
  lookAlikes: {
    name: 'look-alikes',
    what: 'seven letters replaced by Cyrillic ones',
    write: (text) => replaceLetters(text, lookAlikes),
  },
  leet: { name: 'leet', what: 'six letters replaced by digits', write: (text) => replaceLetters(text, digits) },
  spaced: { name: 'spaced letters', what: 'spaces between the letters of longer words', write: spaceLetters },
  before: {
    name: '100 words before',
    what: 'a harmless paragraph of a hundred words before it',
    write: (text) => `${harmlessWords}\n\n${text}`,
  },
  after: {
    name: '100 words after',
    what: 'a harmless paragraph of a hundred words after it',
    write: (text) => `${text}\n\n${harmlessWords}`,
  },
} satisfies Record<string, Obfuscation>

/** Recall on one collection with one type of obfuscation. */
export type ObfuscationFigures = {
  collection: string
  obfuscation: string
  n: number
  /** Recall on the text as sent, read once as a whole. */
  before: number
  /** Recall on the canonical text, read as a whole, by sentences and by windows. */
  after: number
}

type Text = { text: string; categories: readonly PolicyCategoryId[] }
type Collection = { name: string; texts: readonly Text[] }

const textsOfACollection = 60
const seed = 5

/** Measures how many of the same texts the rules and the local model detect when the texts are disguised. */
export async function measureObfuscation(
  posts: readonly EvalPost[],
  models: { whole: EvalModel; shipped: EvalModel },
  dataDirectory: string | undefined,
): Promise<ObfuscationFigures[]> {
  const cases = collections(posts, dataDirectory).flatMap(({ name, texts }) =>
    Object.values<Obfuscation>(obfuscations).map((kind) => ({
      collection: name,
      obfuscation: kind.name,
      texts: texts.map(({ text, categories }) => ({ text: kind.write(text), categories })),
    })),
  )
  const written = cases.flatMap(({ texts }) => texts)
  const canonical = written.map(({ text, categories }) => ({ text: canonicalise(text), categories }))
  const seenBefore = await findSeen(models.whole, written)
  const seenAfter = await findSeen(models.shipped, canonical)
  let from = 0
  return cases.map(({ collection, obfuscation, texts: { length: n } }) => {
    const share = (seen: readonly boolean[]) => seen.slice(from, from + n).filter(Boolean).length / n
    const figures = { collection, obfuscation, n, before: share(seenBefore), after: share(seenAfter) }
    from += n
    return figures
  })
}

function collections(posts: readonly EvalPost[], dataDirectory: string | undefined): Collection[] {
  const own = chooseViolating(posts, textsOfACollection, seed).map(({ parts, category }) => ({
    text: textOf(parts),
    categories: category ? [category] : [],
  }))
  const outside = dataDirectory && existsSync(join(dataDirectory, 'hatecheck')) ? outsideCollections(dataDirectory) : []
  return [{ name: 'committed set', texts: own }, ...outside]
}

function outsideCollections(directory: string): Collection[] {
  const positives = (set: keyof typeof outsideSets, categories: readonly PolicyCategoryId[]) =>
    shuffle(
      outsideSets[set](directory).filter(({ isPositive }) => isPositive),
      seed,
    )
      .slice(0, textsOfACollection)
      .map(({ text }) => ({ text, categories }))
  return [
    { name: 'SMS spam', texts: positives('sms-half-b', ['spam', 'scam_fraud', 'malware_phishing']) },
    { name: 'HateCheck', texts: positives('hatecheck', ['hate_harassment']) },
  ]
}

/** For each text, whether the rules or the model detect one of its categories at the shipped thresholds. */
async function findSeen(model: EvalModel, texts: readonly Text[]): Promise<boolean[]> {
  const answers = await model.score(texts.map(({ text }) => text))
  return texts.map(({ text, categories }, index) => {
    const rules = applyRules(text)
    return categories.some(
      (id) => rules[id] >= thresholds.rules.hint || Number(answers[index]?.scores[id]) >= thresholds.local.agree,
    )
  })
}
