import type { TextPart } from '../../contract/text/text.ts'
import { ModelError } from '../model-client/model-service.ts'
import type { PostToJudge } from '../pipeline/opinion.ts'
import type { JudgeReading, PostPart } from './adapter.ts'

/** A model overlooks a sentence among thousands of words. What stands at the edge of one part is inside of the next. */
export const partWords = 300
export const overlapWords = 50
/** Room for the longest story, 2,500 words, twice over in a language of long words. */
export const maxParts = 20
/** Titles and topics, which stand in every part: up to this many words each, and in all. */
const headingWords = { each: 40, all: 100 }

/**
 * The post in parts that overlap, all of about the same size; every word of it is in one. A post that would have too
 * many is a fault, since nobody can say that a part which was not read is harmless.
 */
export function splitPost(post: PostToJudge): PostPart[] {
  const { headings, long } = sort(post.texts)
  const words = long.flatMap((part) => wordsOf(part))
  if (words.length <= partWords) return [{ post, number: 1, of: 1 }]
  const of = Math.ceil((words.length - overlapWords) / (partWords - overlapWords))
  if (of > maxParts) throw new ModelError('too_long', `the post has ${of} parts, and ${maxParts} are judged`)
  const step = Math.ceil((words.length - overlapWords) / of)
  return Array.from({ length: of }, (_, index) => {
    const own = words.slice(index * step, (index + 1) * step + overlapWords)
    return { post: { ...post, texts: [...headings, ...join(own)] }, number: index + 1, of }
  })
}

/** What is short stands in every part, so that each is read with its title. */
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

/** Many languages write no spaces, and an address has none: what is longer than this counts as several words. */
const longestWord = /\S{1,12}/gu

function wordsOf(from: TextPart): Word[] {
  return [...from.text.matchAll(longestWord)].map(({ index, 0: word }) => ({
    from,
    start: index,
    end: index + word.length,
  }))
}

/** Words that follow one another, as the stretches of the texts that they are from. */
function join(words: readonly Word[]): TextPart[] {
  const stretches = new Map<TextPart, { start: number; end: number }>()
  for (const { from, start, end } of words) stretches.set(from, { start: stretches.get(from)?.start ?? start, end })
  return [...stretches].map(([{ field, text }, { start, end }]) => ({ field, text: text.slice(start, end) }))
}

/** The answer for a post whose parts were answered so; there is at least one. */
export function worstOf<Answer extends { answer: JudgeReading }>(answers: readonly Answer[]): Answer {
  const isPoorThroughout = answers.every(({ answer }) => answer.category === 'low_quality')
  const fair = answers.map((one) => ({ ...one, answer: isPoorThroughout ? one.answer : withoutHaste(one.answer) }))
  const worst = fair.reduce((one, other) => (weightOf(other.answer) > weightOf(one.answer) ? other : one))
  const addressesMachine = answers.some(({ answer }) => answer.addressesMachine)
  return { ...worst, answer: { ...worst.answer, ...(addressesMachine && { addressesMachine }) } }
}

/** A dull part is no fault of the whole: a person looks. */
const withoutHaste = (reading: JudgeReading): JudgeReading =>
  reading.verdict === 'reject' && reading.category === 'low_quality' ? { ...reading, verdict: 'review' } : reading

/**
 * What concerns minors is hidden behind nothing, a doubt about abuse not behind low quality, a refusal not behind a
 * doubt. Of two that accept, the one that is less sure counts.
 */
function weightOf({ verdict, category, score }: JudgeReading): number {
  if (verdict === 'accept') return -score
  const isAbout = category === 'sexual_minors' ? 8 : category === 'low_quality' ? 0 : 4
  return 1 + isAbout + (verdict === 'reject' ? 2 : 0) + score
}
