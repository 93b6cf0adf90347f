import type { PolicyCategoryId } from '../policy/policy.ts'
import type { Word } from './fold.ts'

/** What no list of phrases can say: each measure looks at the form of the text, and gives a score or 0. */
export const measures: readonly {
  category: PolicyCategoryId
  score: (text: string, words: readonly Word[]) => number
}[] = [
  { category: 'low_quality', score: (text) => (hasWordsBesideLinks(text) ? 0 : 0.9) },
  { category: 'low_quality', score: (text) => (isMostlyMash(text) ? 0.9 : 0) },
  { category: 'low_quality', score: (text, words) => (repeatsItself(text, words) ? 0.9 : 0) },
  { category: 'low_quality', score: (text) => (hasUnfilledBlank(text) ? 0.9 : 0) },
  { category: 'spam', score: (text, words) => (isStuffed(text, words) ? 0.9 : 0) },
  { category: 'prompt_injection', score: (text) => (roleMarkup.test(text) ? 0.9 : 0) },
  { category: 'personal_data', score: (text) => (holdsCardNumber(text) ? 0.9 : 0) },
]

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
function repeatsItself(text: string, words: readonly Word[]): boolean {
  // What has one word is a topic more often than a paragraph.
  const paragraphs = text
    .split(/\n{2,}/)
    .map(skeleton)
    .filter((paragraph) => paragraph.includes(' '))
  const sentences = text
    .split(/[.!?]+(?=\s|$)|\n+/)
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

/** One word, or one name of two, over and over beside a link: written for a search engine. */
function isStuffed(text: string, words: readonly Word[]): boolean {
  if (words.length > 200 || !hasLink(text)) return false
  const long = words.map((word) => word.text).filter((word) => word.length > 3)
  const repeated = [...Map.groupBy(long, (word) => word).values()].map((same) => same.length)
  const most = Math.max(0, ...repeated)
  return most >= 5 && most >= words.length * 0.15
}

/** Marks that set the turns of a conversation apart for a model. No reader needs them. */
const roleMarkup =
  /<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|\[\/?system\]|^#+ ?(?:system|assistant) ?:/im

/** A payment card by its length and its check digit. */
function holdsCardNumber(text: string): boolean {
  const candidates = text.match(/(?<!\d)\d(?:[ -]?\d){12,18}(?![ -]?\d)/g) ?? []
  return candidates.some((candidate) => hasCheckDigit(candidate.replaceAll(/\D/g, '')))
}

function hasCheckDigit(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false
  const values = [...digits].reverse().map((digit, index) => (index % 2 === 1 ? Number(digit) * 2 : Number(digit)))
  return values.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10 === 0
}
