import type { PolicyCategoryId } from '../../policy/policy.ts'
import { type FoldedWord, foldedTexts } from './fold.ts'

/** A part of a text, in UTF-16 units; the end is not included. */
export type Place = { start: number; end: number }

/**
 * What no list of phrases can say: each measure looks at the form of the text, and gives a score or 0. Where it can name
 * the part of the text that it means, `places` does.
 */
export const measures: readonly {
  category: PolicyCategoryId
  score: (text: string, words: readonly FoldedWord[]) => number
  places?: (text: string) => Place[]
}[] = [
  { category: 'low_quality', score: (text) => (hasWordsBesideLinks(text) ? 0 : 0.9) },
  { category: 'low_quality', score: (text) => (isMostlyMash(text) ? 0.9 : 0) },
  { category: 'low_quality', score: (text, words) => (repeatsItself(text, words) ? 0.9 : 0) },
  {
    category: 'low_quality',
    score: (text) => (hasUnfilledBlank(text) ? 0.9 : 0),
    places: (text) => placesOf(blank)(text),
  },
  { category: 'low_quality', score: (text) => (isRunTogether(text) ? 0.5 : 0) },
  { category: 'spam', score: (text) => (isStuffed(text) ? 0.9 : 0) },
  {
    category: 'prompt_injection',
    score: (text) => (roleMarkup.test(text) ? 0.9 : 0),
    places: (text) => placesOf(roleMarkup)(text),
  },
  {
    category: 'prompt_injection',
    score: (text) => (forgedVerdict.test(text) ? 0.9 : 0),
    places: (text) => placesOf(forgedVerdict)(text),
  },
  { category: 'personal_data', score: (text) => (holdsCardNumber(text) ? 0.9 : 0), places: findCardNumbers },
]

const placesOf =
  (pattern: RegExp) =>
  (text: string): Place[] =>
    Array.from(text.matchAll(new RegExp(pattern, `${pattern.flags}g`)), ({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
    }))

const link = /\bhttps?:\/\/\S+|\bwww\.\S+/gi
const hasLink = (text: string) =>
  /\bhttps?:\/\/\S|\bwww\.\S|\b[a-z0-9-]{1,63}\.(?:com|net|org|io|example)\b/i.test(text)

function hasWordsBesideLinks(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(link, ''))
}

/** Half of the words or more are keys pressed at random. */
function isMostlyMash(text: string): boolean {
  const prose = text.replaceAll(link, '').toLowerCase()
  const words = prose.match(/\p{L}+/gu) ?? []
  return words.length > 0 && words.filter(isMash).length * 2 >= words.length
}

const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'].flatMap((row) => [row, [...row].reverse().join('')])

function isMash(word: string): boolean {
  const inRow = word.length >= 4 && rows.some((row) => row.includes(word.slice(0, 6)))
  return inRow || /^(\p{L})\1{4,}$/u.test(word) || /^[bcdfghjklmnpqrstvxz]{6,}$/.test(word)
}

/** Every paragraph is the title again, or most sentences were already said, or a short text has one word or two. */
function repeatsItself(text: string, words: readonly FoldedWord[]): boolean {
  // What has one word is a topic more often than a paragraph.
  const paragraphs = text
    .split(/\n{2,}/)
    .map(skeleton)
    .filter((paragraph) => paragraph.includes(' '))
  const sentences = text
    // A row of stops is looked at from its beginning alone, or a long one would take quadratic time.
    .split(/(?<![.!?])[.!?]+(?=\s|$)|\n+/)
    .map(skeleton)
    .filter((sentence) => sentence !== '')
  return (
    (paragraphs.length > 1 && new Set(paragraphs).size === 1) ||
    (sentences.length >= 4 && shareOfNew(sentences) < 0.5) ||
    (words.length >= 4 && words.length < 40 && shareOfNew(words.map((word) => word.text)) < 0.3)
  )
}

const skeleton = (part: string): string => (part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
const shareOfNew = (parts: readonly string[]): number => new Set(parts).size / parts.length

/** `[EVENT NAME] at [VENUE]`, `{{title}}`, `<insert text>`: a template that nobody filled in. */
function hasUnfilledBlank(text: string): boolean {
  const blanks = new Set(text.match(/\[[A-Z]{2,}(?: [A-Z]{2,}){0,3}\]/g))
  return blanks.size > 1 || /\{\{ ?\w+ ?\}\}|<(?:insert|your)\b[^>\n]{0,40}>/.test(text)
}

/** Any of the above. */
const blank = /\[[A-Z]{2,}(?: [A-Z]{2,}){0,3}\]|\{\{ ?\w+ ?\}\}|<(?:insert|your)\b[^>\n]{0,40}>/

/** A third of the letters stand in words of twenty or more: what had been set apart letter by letter reads so, joined. */
function isRunTogether(text: string): boolean {
  const words = text.replaceAll(link, '').match(/[\p{L}\p{N}]+/gu) ?? []
  const lettersOf = (those: readonly string[]) => those.reduce((sum, word) => sum + word.length, 0)
  const long = words.filter((word) => word.length >= 20 && /\p{Script=Latin}/u.test(word))
  const isEnough = long.length >= 2 || long.some((word) => word.length >= 40)
  return isEnough && lettersOf(long) * 3 >= lettersOf(words)
}

/** One word over and over beside a link: written for a search engine. Each paragraph by itself, so that none hides. */
function isStuffed(text: string): boolean {
  if (!hasLink(text)) return false
  return [text, ...text.split(/\n{2,}/)].some((part) => {
    const words = foldedTexts(part)
    if (words.length > 200) return false
    const long = words.filter((word) => word.length > 3)
    const most = Math.max(0, ...[...Map.groupBy(long, (word) => word).values()].map((same) => same.length))
    return most >= 5 && most >= words.length * 0.12
  })
}

/** Marks that set the turns of a conversation apart for a model. No reader needs them. */
const roleMarkup =
  /<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|\[\/?system\]|^#+ ?(?:system|assistant) ?:/im

/** A verdict, or the end of a judge's question, written in the judge's place. Spaces are any, quotes of any kind. */
const forgedVerdict =
  /["'“”]?(?:verdict|decision)["'“”]?\s{0,3}[:=]\s{0,3}["'“”]?(?:accept|publish|approve|allow)|\b(?:begin|end) post [0-9a-f-]{12,36}\b|<\/?post(?:-[0-9a-f]+)?>/i

/** One UUID in 400 holds a row of digits that passes the check of a card number. */
const uuid = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi
/** As long as the number of a payment card. */
const cardLike = /(?<!\d)\d(?:[ -]?\d){12,18}(?![ -]?\d)/g

/** A payment card by its length and its check digit. */
function holdsCardNumber(text: string): boolean {
  return (text.replaceAll(uuid, '').match(cardLike) ?? []).some(isCardNumber)
}

function findCardNumbers(text: string): Place[] {
  return [...text.matchAll(cardLike)]
    .filter(([digits]) => isCardNumber(digits))
    .map(({ 0: digits, index }) => ({ start: index, end: index + digits.length }))
}

const isCardNumber = (digits: string): boolean => hasCheckDigit(digits.replaceAll(/\D/g, ''))

function hasCheckDigit(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false
  const values = [...digits].reverse().map((digit, index) => (index % 2 === 1 ? Number(digit) * 2 : Number(digit)))
  return values.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10 === 0
}
