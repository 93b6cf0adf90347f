import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalise } from '../../src/moderation/canonicalise.ts'
import { applyRules } from '../../src/moderation/rules/apply-rules.ts'
import { thresholds } from '../../src/moderation/thresholds.ts'
import type { PolicyCategoryId } from '../../src/policy/policy.ts'
import { evaluationSets } from '../train/evaluation-sets.ts'
import { chooseViolating, shuffle } from './choose-posts.ts'
import { type Obfuscation, obfuscations } from './obfuscations.ts'
import { textOf } from './observe.ts'
import type { EvalModel } from './open-model.ts'
import type { EvalPost } from './read-set.ts'

/** Recall on one collection, written one way. */
export type ObfuscationFigures = {
  collection: string
  obfuscation: string
  n: number
  /** Of the text as it was sent, read once as a whole. */
  before: number
  /** Of the canonical text, read as a whole, by sentences and by windows. */
  after: number
}

type Text = { text: string; categories: readonly PolicyCategoryId[] }
type Collection = { name: string; texts: readonly Text[] }

const textsOfACollection = 60
const seed = 5

/** How much rules and local model see of the same texts when they are disguised. */
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
  const positives = (set: 'sms-half-b' | 'hatecheck', categories: readonly PolicyCategoryId[]) =>
    shuffle(
      evaluationSets[set](directory).filter(({ isPositive }) => isPositive),
      seed,
    )
      .slice(0, textsOfACollection)
      .map(({ text }) => ({ text, categories }))
  return [
    { name: 'SMS spam', texts: positives('sms-half-b', ['spam', 'scam_fraud', 'malware_phishing']) },
    { name: 'HateCheck', texts: positives('hatecheck', ['hate_harassment']) },
  ]
}

/** For each text, whether rules or model see one of its categories, at the shipped thresholds. */
async function findSeen(model: EvalModel, texts: readonly Text[]): Promise<boolean[]> {
  const answers = await model.score(texts.map(({ text }) => text))
  return texts.map(({ text, categories }, index) => {
    const rules = applyRules(text)
    return categories.some(
      (id) => rules[id] >= thresholds.rules.hint || Number(answers[index]?.scores[id]) >= thresholds.local.agree,
    )
  })
}
