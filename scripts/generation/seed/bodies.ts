import type { Random } from '../../../tooling/random.ts'
import type { Places } from './places.ts'
import { type Language, type Vocabulary, zipf } from './vocabulary.ts'

export type Material = { vocabulary: Vocabulary; places: Places }
/** `now` is when the database is created. */
export type Writer = { random: Random; language: Language; now: Date } & Material

/** A kind's share of all posts, whether its posts expire after a month, and a function that creates a valid body. */
export const writers: Record<string, { share: number; isShortLived?: true; write: (writer: Writer) => object }> = {
  message: { share: 0.55, write: writeMessage },
  story: { share: 0.1, write: writeStory },
  classified: { share: 0.2, isShortLived: true, write: writeAd },
  event: { share: 0.15, write: writeEvent },
}

const day = 86_400_000
const messageLength = 500

function writeMessage(writer: Writer) {
  const text = writeProse(writer, between(writer, 15, 60))
  return { text: fitted(text, messageLength), topics: drawTopics(writer), ...drawPlace(writer, 'city') }
}

function writeStory(writer: Writer) {
  const paragraphs = Array.from({ length: between(writer, 3, 5) }, () => writeProse(writer, between(writer, 50, 80)))
  return { title: writeTitle(writer), body: paragraphs.join('\n\n'), topics: drawTopics(writer) }
}

const categories = 'for-sale wanted free services jobs housing vehicles software data community other'.split(' ')
const conditions = 'new like-new good fair for-parts not-applicable'.split(' ')
const currencies = 'EUR USD GBP BRL INR CHF PLN'.split(' ')

function writeAd(writer: Writer) {
  const { random } = writer
  const price = { amount: random.below(200_000) / 100, currency: random.pick(currencies) }
  return {
    title: writeTitle(writer),
    body: writeProse(writer, between(writer, 30, 90)),
    category: random.pick(categories),
    ...(random.chance(0.8) && { price }),
    ...(random.chance(0.6) && { condition: random.pick(conditions) }),
    topics: drawTopics(writer),
    ...drawPlace(writer, 'region'),
  }
}

/** Time zones without daylight saving time. */
const zones = [
  { timezone: 'UTC', offset: '+00:00', hours: 0 },
  { timezone: 'Asia/Kolkata', offset: '+05:30', hours: 5.5 },
  { timezone: 'Asia/Tokyo', offset: '+09:00', hours: 9 },
  { timezone: 'Africa/Nairobi', offset: '+03:00', hours: 3 },
]

/** The event ends in the future, whenever it was announced, so that search finds it. */
function writeEvent(writer: Writer) {
  const { random, now } = writer
  const { timezone, offset, hours } = random.pick(zones)
  const startsAt = now.getTime() + between(writer, 40, 300) * day + random.below(24) * 3_600_000
  const local = (at: number) => `${new Date(at + hours * 3_600_000).toISOString().slice(0, 19)}${offset}`
  return {
    title: writeTitle(writer),
    body: writeProse(writer, between(writer, 30, 90)),
    timezone,
    starts_at: local(startsAt),
    ends_at: local(startsAt + between(writer, 1, 48) * 3_600_000),
    topics: drawTopics(writer),
    ...drawPlace(writer, 'region'),
  }
}

const between = ({ random }: Writer, least: number, most: number) => least + random.below(most - least + 1)

/** Sentences of 5 to 14 words. */
function writeProse(writer: Writer, words: number): string {
  const sentences: string[] = []
  for (let left = words; left > 0; ) {
    // A sentence of one or two words would look odd.
    const length = left < 17 ? left : between(writer, 5, 14)
    sentences.push(`${capitalised(drawWords(writer, length))}.`)
    left -= length
  }
  return sentences.join(' ')
}

function drawWords({ vocabulary, random, language }: Writer, count: number): string {
  let text = vocabulary.draw(random, language)
  for (let written = 1; written < count; written++) {
    text += random.below(12) === 0 ? ', ' : ' '
    text += vocabulary.draw(random, language)
  }
  return text
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Cuts a text at the limit without splitting a word. */
const fitted = (text: string, limit: number) =>
  text.length <= limit ? text : `${text.slice(0, text.lastIndexOf(' ', limit - 1))}.`

const writeTitle = (writer: Writer) => fitted(capitalised(drawWords(writer, between(writer, 3, 8))), 120)

const topicRanks = zipf(3_000, 1)

function drawTopics({ random, vocabulary }: Writer): string[] {
  const topics = Array.from({ length: random.below(4) }, () => topicOf(vocabulary, topicRanks.draw(random)))
  return [...new Set(topics)]
}

/** Every third topic has two words. Words that occur in a tenth of all texts are not topics. */
function topicOf({ subjects }: Vocabulary, rank: number): string {
  const first = String(subjects[rank + 60])
  return rank % 3 === 2 ? `${first}-${subjects[rank + 200]}` : first
}

function drawPlace({ random, places }: Writer, precision: 'region' | 'city') {
  return random.chance(0.75) ? { location: places.draw(random, precision) } : {}
}
