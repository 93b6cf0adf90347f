import { type PolicyCategoryId, policyCategoryIds } from '../../policy/policy.ts'
import { minorWords, negations, signals, tellingWords } from '../../policy/signals/index.ts'
import { type Find, PhraseBook } from './find-phrases.ts'
import { type FoldedWord, foldedTexts, foldWords, placeWords } from './fold.ts'
import { measures, type Place } from './measures.ts'

export type Scores = Record<PolicyCategoryId, number>

type Label = { category: PolicyCategoryId; strength: 'strong' | 'weak' | 'whole' } | { context: Context }
type Context = 'telling' | 'negation' | 'minors'

/** Compiled when it is first needed, which takes 50 ms. */
let compiledBook: PhraseBook<Label> | undefined

const compileBook = () =>
  new PhraseBook<Label>(
    [
      ...signals.flatMap(({ category, strong, weak, whole = [] }) => [
        { label: { category, strength: 'strong' as const }, phrases: strong },
        { label: { category, strength: 'weak' as const }, phrases: weak },
        { label: { category, strength: 'whole' as const }, phrases: whole },
      ]),
      { label: { context: 'telling' as const }, phrases: tellingWords },
      { label: { context: 'negation' as const }, phrases: negations },
      { label: { context: 'minors' as const }, phrases: minorWords },
    ],
    (word) => foldedTexts(word).join(''),
  )

function openBook(): PhraseBook<Label> {
  compiledBook ??= compileBook()
  return compiledBook
}

/** What a find is worth. A short quotation that is marked as one is no offence; any other mention is a person's case. */
const worth = { strong: 0.9, mentioned: 0.5, quotedInPassing: 0.3, weak: 0.3 }
const shortQuotationWords = 8
/** How many words before a find its context is looked for. */
const reach = { telling: 6, negation: 2 }
/** Weak signals count together, and a word for minors counts, this many words apart. */
const nearbyWords = 40

/** Whether a word for minors stands anywhere: with a sexual signal of any stage it makes the post a person's case. */
export const mentionsMinors = (text: string): boolean =>
  openBook()
    .find(foldedTexts(text))
    .some(({ label }) => 'context' in label && label.context === 'minors')

/** How likely the text breaks each rule, by the phrases of `policy/signals` and by its form. */
export function applyRules(text: string): Scores {
  const words = foldWords(text)
  const finds = openBook().find(words.map((word) => word.text))
  const told = wordsThatAreTold(finds)
  const scores = Object.fromEntries(policyCategoryIds.map((id) => [id, 0])) as Scores
  for (const { category } of signals) {
    const own = finds.filter(({ label }) => 'category' in label && label.category === category)
    const weak = own.filter((find) => isWeak(find) && !told.has(find.from) && words[find.from]?.quoted === 0)
    const best = own.reduce((most, find) => Math.max(most, worthOf(find, words, told)), 0)
    scores[category] = combine([best, ...Array<number>(countNearby(weak)).fill(worth.weak)])
  }
  for (const { category, score } of measures) scores[category] = Math.max(scores[category], score(text, words))
  return withMinorsRule(scores, finds)
}

/** A part of a text that made a rule match, in the text as it was written. */
export type Trigger = Place & { category: PolicyCategoryId }

/**
 * The parts of a text that count for a category which scores `least` or more: phrases, and what the form gives away. For
 * people who judge the text; linear in its length.
 */
export function findTriggers(text: string, least: number): Trigger[] {
  const scores = applyRules(text)
  const words = placeWords(text)
  const finds = openBook().find(words.map((word) => word.text))
  const told = wordsThatAreTold(finds)
  const phrases = finds.flatMap((find) => {
    const category = countedFor(find, scores)
    const isCounted = isWeak(find) ? !told.has(find.from) && words[find.from]?.quoted === 0 : true
    if (!category || !isCounted || (isWhole(find) && worthOf(find, words, told) === 0)) return []
    return [{ category, start: Number(words[find.from]?.start), end: Number(words[find.to - 1]?.end) }]
  })
  const forms = measures.flatMap(({ category, places }) =>
    (places?.(text) ?? []).map((place) => ({ ...place, category })),
  )
  return [...phrases, ...forms].filter(({ category }) => scores[category] >= least)
}

/** The category that a find speaks for. Where a sexual text speaks of minors, both kinds of word count for that. */
function countedFor({ label }: Find<Label>, scores: Scores): PolicyCategoryId | null {
  const isAboutMinors = scores.sexual === 0 && scores.sexual_minors > 0
  if ('context' in label) return label.context === 'minors' && isAboutMinors ? 'sexual_minors' : null
  return label.category === 'sexual' && isAboutMinors ? 'sexual_minors' : label.category
}

/** The chance that at least one of them is right, if each is right on its own. */
const combine = (chances: readonly number[]) => 1 - chances.reduce((none, chance) => none * (1 - chance), 1)

/** The places where a find would be warned of, reported or negated. */
function wordsThatAreTold(finds: readonly Find<Label>[]): Set<number> {
  const told = new Set<number>()
  for (const { label, from, to } of finds)
    if ('context' in label && label.context !== 'minors')
      for (let at = to; at <= from + reach[label.context]; at++) told.add(at)
  return told
}

const isWeak = ({ label }: Find<Label>) => 'category' in label && label.strength === 'weak'
const isWhole = ({ label }: Find<Label>) => 'category' in label && label.strength === 'whole'

function worthOf(find: Find<Label>, words: readonly FoldedWord[], told: ReadonlySet<number>): number {
  if (isWeak(find)) return 0
  if (isWhole(find)) return find.to - find.from === words.length ? worth.strong : 0
  const quoted = words[find.from]?.quoted ?? 0
  if (quoted > 0 && quoted <= shortQuotationWords && told.has(find.from)) return worth.quotedInPassing
  return quoted > 0 || told.has(find.from) ? worth.mentioned : worth.strong
}

/** How many different weak phrases stand together. They come in the order of the text. */
function countNearby(weak: readonly Find<Label>[]): number {
  let most = 0
  for (const [index, first] of weak.entries()) {
    const phrases = new Set<string>()
    for (let at = index; at < weak.length && Number(weak[at]?.from) < first.from + nearbyWords; at++)
      phrases.add(String(weak[at]?.phrase))
    most = Math.max(most, phrases.size)
  }
  return most
}

/** A sexual text that speaks of minors is never counted as merely sexual. */
function withMinorsRule(scores: Scores, finds: readonly Find<Label>[]): Scores {
  if (scores.sexual < worth.mentioned) return scores
  const nearMinors = new Set<number>()
  for (const { label, from } of finds)
    if ('context' in label && label.context === 'minors')
      for (let at = from - nearbyWords; at <= from + nearbyWords; at++) nearMinors.add(at)
  const isNear = ({ label, from }: Find<Label>) =>
    'category' in label && label.category === 'sexual' && nearMinors.has(from)
  if (!finds.some(isNear)) return scores
  return { ...scores, sexual: 0, sexual_minors: Math.max(scores.sexual_minors, worth.strong) }
}
