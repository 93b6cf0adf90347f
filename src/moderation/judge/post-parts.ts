import type { TextPart } from '../../contract/text/text.ts'
import { ModelError } from '../model-client/model-service.ts'
import type { PostToJudge } from '../pipeline/opinion.ts'
import type { JudgeReading, PostPart } from './adapter.ts'

/**
 * A model overlooks one sentence among thousands of words, so a long post is split. Parts overlap, so that text at the
 * edge of one part is inside the next.
 */
export const partWords = 300
export const overlapWords = 50
/** Enough for twice the longest story, which has 2,500 words: a long word counts as several. */
export const maxParts = 20
/** Titles and topics are repeated in every part: the maximum number of words in each, and in total. */
const headingWords = { each: 40, all: 100 }

/**
 * Splits the post into overlapping parts of about equal size that together contain every word. Throws if there are too
 * many parts, because an unread part cannot be assumed harmless.
 */
export function splitPost(post: PostToJudge): PostPart[] {
  const { headings, long } = sort(post.texts)
  const words = long.flatMap((part) => wordsOf(part))
  if (words.length <= partWords) return [{ post, number: 1, of: 1 }]
  const of = Math.ceil((words.length - overlapWords) / (partWords - overlapWords))
  if (of > maxParts) throw new ModelError('too_long', `the post has ${of} parts; the limit is ${maxParts}`)
  const step = Math.ceil((words.length - overlapWords) / of)
  return Array.from({ length: of }, (_, index) => {
    const own = words.slice(index * step, (index + 1) * step + overlapWords)
    return { post: { ...post, texts: [...headings, ...join(own)] }, number: index + 1, of }
  })
}

/** Separates short fields, which every part repeats, from long fields, which are split. */
function sort(texts: readonly TextPart[]) {
  const sorted: Record<'headings' | 'long', TextPart[]> = { headings: [], long: [] }
  let room = headingWords.all
  for (const part of texts) {
    const count = wordsOf(part).length
    const isHeading = count <= Math.min(headingWords.each, room)
    if (isHeading) room -= count
    sorted[isHeading ? 'headings' : 'long'].push(part)
  }
  return sorted
}

type Word = { from: TextPart; start: number; end: number }

/** Many languages and all URLs have no spaces, so a longer run of characters counts as several words. */
const longestWord = /\S{1,12}/gu

function wordsOf(from: TextPart): Word[] {
  return [...from.text.matchAll(longestWord)].map(({ index, 0: word }) => ({
    from,
    start: index,
    end: index + word.length,
  }))
}

/** Joins consecutive words back into passages of their fields. */
function join(words: readonly Word[]): TextPart[] {
  const stretches = new Map<TextPart, { start: number; end: number }>()
  for (const { from, start, end } of words) stretches.set(from, { start: stretches.get(from)?.start ?? start, end })
  return [...stretches].map(([{ field, text }, { start, end }]) => ({ field, text: text.slice(start, end) }))
}

/** Combines the responses for all parts into one. There must be at least one. */
export function worstOf<Answer extends { answer: JudgeReading }>(answers: readonly Answer[]): Answer {
  const isPoorThroughout = answers.every(({ answer }) => answer.category === 'low_quality')
  const fair = answers.map((one) => ({ ...one, answer: isPoorThroughout ? one.answer : withoutHaste(one.answer) }))
  const worst = fair.reduce((one, other) => (weightOf(other.answer) > weightOf(one.answer) ? other : one))
  const addressesMachine = answers.some(({ answer }) => answer.addressesMachine)
  return { ...worst, answer: { ...worst.answer, ...(addressesMachine && { addressesMachine }) } }
}

/** One low-quality part does not make the whole post low quality: a person reviews it. */
const withoutHaste = (reading: JudgeReading): JudgeReading =>
  reading.verdict === 'reject' && reading.category === 'low_quality' ? { ...reading, verdict: 'review' } : reading

/**
 * Precedence: minors first, then abuse over low quality, then rejections over reviews. Of two acceptances, the less
 * confident one counts.
 */
function weightOf({ verdict, category, score }: JudgeReading): number {
  if (verdict === 'accept') return -score
  const isAbout = category === 'sexual_minors' ? 8 : category === 'low_quality' ? 0 : 4
  return 1 + isAbout + (verdict === 'reject' ? 2 : 0) + score
}
