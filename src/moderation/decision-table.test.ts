import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { policy } from '../policy/policy.ts'
import type { StageAnswer } from './ask-model.ts'
import { decide, decisionTable, type Reading, type Verdict } from './decision-table.ts'

const stage = (verdict: StageAnswer['verdict'], category: StageAnswer['category'] = null): StageAnswer => ({
  verdict,
  category,
  score: 0.9,
})

/** What a stage says in each reading, with one abusive category. */
const says: Record<Reading, StageAnswer> = {
  accepts: stage('accept'),
  doubts: stage('review'),
  suspects_abuse: stage('review', 'spam'),
  refuses_quality: stage('reject', 'low_quality'),
  refuses_abuse: stage('reject', 'spam'),
}

const decided = (classifier: StageAnswer, judge: StageAnswer) =>
  decide({ classifier: { ...classifier, scores: {} }, judge })

const publish: Verdict = { outcome: 'publish' }
const lowQuality: Verdict = { outcome: 'low_quality' }
const abuse: Verdict = { outcome: 'abuse', category: 'spam' }
const review = (category: StageAnswer['category']): Verdict => ({ outcome: 'review', category })

const rows: [classifier: Reading, judge: Reading, verdict: Verdict][] = [
  ['accepts', 'accepts', publish],
  ['accepts', 'doubts', review(null)],
  ['accepts', 'suspects_abuse', review('spam')],
  ['accepts', 'refuses_quality', lowQuality],
  ['accepts', 'refuses_abuse', review('spam')],
  ['doubts', 'accepts', review(null)],
  ['doubts', 'doubts', review(null)],
  ['doubts', 'suspects_abuse', review('spam')],
  ['doubts', 'refuses_quality', lowQuality],
  ['doubts', 'refuses_abuse', review('spam')],
  ['suspects_abuse', 'accepts', review('spam')],
  ['suspects_abuse', 'doubts', review('spam')],
  ['suspects_abuse', 'suspects_abuse', review('spam')],
  ['suspects_abuse', 'refuses_quality', review('spam')],
  ['suspects_abuse', 'refuses_abuse', review('spam')],
  ['refuses_quality', 'accepts', lowQuality],
  ['refuses_quality', 'doubts', lowQuality],
  ['refuses_quality', 'suspects_abuse', review('spam')],
  ['refuses_quality', 'refuses_quality', lowQuality],
  ['refuses_quality', 'refuses_abuse', review('spam')],
  ['refuses_abuse', 'accepts', review('spam')],
  ['refuses_abuse', 'doubts', review('spam')],
  ['refuses_abuse', 'suspects_abuse', review('spam')],
  ['refuses_abuse', 'refuses_quality', review('spam')],
  ['refuses_abuse', 'refuses_abuse', abuse],
]

describe('the decision table', () => {
  for (const [classifier, judge, verdict] of rows)
    test(`the classifier ${classifier}, the judge ${judge}: ${verdict.outcome}`, () =>
      assert.deepEqual(decided(says[classifier], says[judge]), verdict))

  test('has a test for each of its rows', () => {
    const tested = rows.map(([classifier, judge]) => `${classifier} ${judge}`)
    const all = Object.entries(decisionTable).flatMap(([one, row]) =>
      Object.keys(row).map((other) => `${one} ${other}`),
    )
    assert.deepEqual(tested.sort(), all.sort())
  })

  test('two stages that refuse for different abuse leave the post to a person', () => {
    assert.deepEqual(decided(stage('reject', 'spam'), stage('reject', 'scam_fraud')), review('spam'))
  })

  test('a person is shown the gravest category that was named', () => {
    assert.deepEqual(decided(stage('review', 'low_quality'), stage('review', 'sexual')), review('sexual'))
    assert.deepEqual(decided(stage('review', 'sexual'), stage('reject', 'spam')), review('spam'))
    assert.deepEqual(decided(stage('review', 'low_quality'), stage('review')), review('low_quality'))
    assert.deepEqual(decided(stage('review'), stage('review', 'low_quality')), review('low_quality'))
  })
})

test('nobody is fined unless both stages refuse for the same abusive category', () => {
  const categories = [null, ...policy.categories.map(({ id }) => id)]
  const answers = (['accept', 'review', 'reject'] as const).flatMap((verdict) =>
    categories
      .filter((id) => (verdict === 'accept' ? id === null : verdict === 'review' || id !== null))
      .map((id) => stage(verdict, id)),
  )
  let fines = 0
  for (const classifier of answers)
    for (const judge of answers) {
      const verdict = decided(classifier, judge)
      const isAgreed =
        classifier.verdict === 'reject' && judge.verdict === 'reject' && classifier.category === judge.category
      const isAbusive = classifier.category !== 'low_quality' && classifier.category !== null
      assert.equal(verdict.outcome === 'abuse', isAgreed && isAbusive)
      assert.equal(verdict.outcome === 'publish', classifier.verdict === 'accept' && judge.verdict === 'accept')
      if (verdict.outcome === 'abuse') fines++
    }
  assert.equal(fines, policy.categories.filter(({ abusive }) => abusive).length)
})
