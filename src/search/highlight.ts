import { foldWord } from '../text-analysis/fold.ts'
import type { Language } from '../text-analysis/languages.ts'
import { lexemesOf } from '../text-analysis/lexemes.ts'
import { rawWords } from '../text-analysis/split-words.ts'
import { type Branch, branchesOf, prefixOf, type Sequence, type WordSlot } from './branches.ts'
import type { SearchQuery } from './read-query.ts'

/** The matches in a field of the content, in code points from its start. */
export type Highlight = { field: string; start: number; end: number }

/** Enough to show why a post was found. */
const most = 50

type Marks = (fields: readonly string[], content: object, language: Language | null) => Highlight[]

/**
 * Highlights matches with the same words and stems that search uses. Results per word are cached across posts, because
 * the same words keep recurring.
 */
export function highlighter(query: SearchQuery): Marks {
  const branches = branchesOf(query)
  const finders = new Map<Language | null, (text: string) => Range[]>()
  const finderOf = (language: Language | null) => {
    const known = finders.get(language)
    if (known) return known
    const finder = rangeFinder(wantedIn(branches, language), language)
    finders.set(language, finder)
    return finder
  }
  return (fields, content, language) =>
    Object.entries(content)
      .filter((member): member is [string, string] => fields.includes(member[0]) && typeof member[1] === 'string')
      .flatMap(([field, text]) => finderOf(language)(text).map((range) => ({ field, ...range })))
      .slice(0, most)
}

/** If the query has no stems in this language, its words are compared unstemmed. */
function wantedIn(branches: readonly Branch[], language: Language | null): Sequence[] {
  const own = branches.find((branch) => branch.language === language) ?? branches[0]
  return own?.alternatives.flat().filter(({ isExcluded }) => !isExcluded) ?? []
}

type Range = { start: number; end: number }

function rangeFinder(wanted: readonly Sequence[], language: Language | null) {
  const firsts = new Set(wanted.flatMap(({ slots }) => slots.flatMap(firstLettersOf)))
  const asciiFirsts = new Set([...firsts].flatMap((first) => [first.charCodeAt(0), first.toUpperCase().charCodeAt(0)]))
  const known = new Map<string, ReturnType<FormsOf>>()
  const findForms: FormsOf = (text) => {
    const folded = foldWord(text)
    if (folded === '') return 'no word'
    // A stem has the same first letter as its word. Checking this first avoids stemming most words.
    if (!firsts.has(folded.charAt(0))) return 'another word'
    return { lexemes: lexemesOf({ text, folded }, language), whole: prefixOf({ folded }, language) }
  }
  const formsOf: FormsOf = (text) => {
    // Nearly all words end here, in a tenth of the time of a lookup.
    if (text.charCodeAt(0) < 0x80 && !asciiFirsts.has(text.charCodeAt(0))) return 'another word'
    const before = known.get(text)
    if (before) return before
    const forms = findForms(text)
    known.set(text, forms)
    return forms
  }
  return (text: string) => inCodePoints(text, findRanges(text, wanted, formsOf))
}

/** The lexemes of a word in the text, and its unstemmed form. */
type Forms = { lexemes: readonly string[]; whole: string }

const firstLettersOf = ({ lexemes, beginning }: WordSlot) =>
  [...lexemes, ...(beginning ? [beginning] : [])].map((lexeme) => lexeme.replace(/^[a-z]{2}\//, '').charAt(0))

const isIn = ({ lexemes, beginning }: WordSlot, forms: Forms): boolean =>
  forms.lexemes.some((lexeme) => lexemes.includes(lexeme)) || (beginning !== null && forms.whole.startsWith(beginning))

type FormsOf = (text: string) => Forms | 'another word' | 'no word'

/** A partly matched sequence and its next slot. */
type Begun = { sequence: Sequence; next: number; start: number }

const goingOn = (begun: readonly Begun[], wanted: readonly Sequence[], forms: Forms, start: number): Begun[] =>
  [...begun, ...wanted.map((sequence) => ({ sequence, next: 0, start }))].filter(({ sequence, next }) =>
    isIn(sequence.slots[next] as WordSlot, forms),
  )

/** Walks the text with the sequences that have started, and stops when there are enough highlights. */
function findRanges(text: string, wanted: readonly Sequence[], formsOf: FormsOf): Range[] {
  const ranges: Range[] = []
  let begun: Begun[] = []
  for (const { 0: word, index } of rawWords(text)) {
    const forms = formsOf(word)
    if (forms === 'no word') continue
    const going = forms === 'another word' ? [] : goingOn(begun, wanted, forms, index)
    for (const { start } of going.filter(({ sequence, next }) => next + 1 === sequence.slots.length))
      addRange(ranges, { start, end: index + word.length })
    begun = going
      .filter(({ sequence, next }) => next + 1 < sequence.slots.length)
      .map((one) => ({ ...one, next: one.next + 1 }))
    if (ranges.length >= most) break
  }
  return ranges
}

function addRange(ranges: Range[], range: Range): void {
  let { start } = range
  for (let last = ranges.at(-1); last && last.end > start; last = ranges.at(-1)) {
    start = Math.min(start, last.start)
    ranges.pop()
  }
  ranges.push({ start, end: range.end })
}

/** The ranges are in order, so one pass over the text is enough. */
function inCodePoints(text: string, ranges: readonly Range[]): Range[] {
  let unit = 0
  let point = 0
  const pointAt = (target: number) => {
    while (unit < target) {
      unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
      point++
    }
    return point
  }
  return ranges.map(({ start, end }) => ({ start: pointAt(start), end: pointAt(end) }))
}
