import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Counts, noCounts } from '../../policy/moderation-counts.ts'
import { inShort } from './in-short.ts'

const sentencesOf = (recent: object, earlier: object = recent) => {
  const [last30, last90] = [recent, earlier].map((counts) => ({ ...noCounts(), ...counts })) as [Counts, Counts]
  const list = inShort({ last30, last90, all: last90 }, 'messages')
  return [...list.matchAll(/<li>(.*?)<\/li>/g)].map(([, item]) => String(item).replaceAll(/<[^>]*>/g, ''))
}

test('four sentences say what happened in the last 30 days', () => {
  const counts = {
    ...{ posts_submitted: 1_204, posts_published: 1_150, reviews_decided: 24, reviews_within_24h: 23 },
    ...{ decisions_publish_automated: 1_150, decisions_abuse_automated: 30, decisions_low_quality_person: 7 },
    ...{ decisions_remove_person: 3, rejections_spam_automated: 30, rejections_low_quality_person: 7 },
    ...{ removals_spam: 3, appeals_filed: 5, overturned_automated: 1, overturned_person: 1 },
  }
  assert.deepEqual(sentencesOf(counts), [
    'In the last 30 days, authors submitted 1,204 messages, and 1,150 were published.',
    'The model made 1,180 decisions on its own. People made 10, and settled 95% of reviews within 24 hours.',
    '37 were rejected and 3 taken down after publication; the most common reason was Spam (33).',
    'Authors filed 5 appeals, and 2 decisions were reversed as wrong.',
  ])
})

test('without activity, the sentences still read well', () => {
  assert.deepEqual(sentencesOf({}), [
    'In the last 30 days, authors submitted 0 messages, and 0 were published.',
    'The model made 0 decisions on its own. People made 0.',
    'Nothing was rejected or taken down in this period.',
    'Authors filed 0 appeals, and 0 decisions were reversed as wrong.',
  ])
})

test('after 30 days without activity, the sentences are about a longer period', () => {
  assert.equal(
    sentencesOf({}, { posts_submitted: 3, posts_published: 2 })[0],
    'In the last 90 days, authors submitted 3 messages, and 2 were published.',
  )
})
