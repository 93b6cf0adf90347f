import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import type { Opinion } from '../../../src/moderation/pipeline/opinion.ts'
import type { EvalPost } from '../../eval/data/read-set.ts'
import { noScores } from '../../eval/models/open-model.ts'
import { compareModels } from './compare-models.ts'

const posts = Array.from({ length: 60 }, (_, number): EvalPost => {
  const violating = number % 2 === 0
  return {
    ...{ id: `spam-${violating ? 'v' : 'n'}-${number}`, kind: 'message', parts: [], category: 'spam', violating },
    near: false,
    author: 'house',
    language: 'en',
    sealed: true,
  }
})

/** The opinions of a model that scores violating posts 1 and others 0, except for its errors. */
const saidBy = (isWrong: (number: number) => boolean) =>
  posts.map((post, number) => {
    const score = post.violating === isWrong(number) ? 0 : 1
    const local: Opinion['local'] = { scores: { ...noScores, spam: score }, overall: score, judged: true }
    return { post, opinion: { rules: { scores: noScores, mentionsMinors: false }, local, judge: 'absent' as const } }
  })

const right = () => false
const worse = (live: (number: number) => boolean, candidate: (number: number) => boolean) =>
  compareModels(saidBy(live), saidBy(candidate))
    .filter(({ isWorse }) => isWorse)
    .map(({ name }) => name)

test('a candidate with the same or better figures is not worse', () => {
  assert.deepEqual(worse(right, right), [])
  assert.deepEqual(
    worse((number) => number < 20, right),
    [],
  )
})

test('a candidate that publishes more violations or ranks worse is worse', () => {
  const [misses, ranks] = [(number: number) => number < 20 && number % 2 === 0, (number: number) => number % 4 === 1]
  assert.deepEqual(worse(right, misses), ['violating published', 'mean average precision'])
  assert.deepEqual(worse(right, ranks), ['mean average precision'])
})

test('a difference within chance does not count, but is reported', () => {
  const figures = compareModels(
    saidBy((number) => number === 2),
    saidBy((number) => number === 4),
  )
  const [published] = figures
  assert.deepEqual([published?.live, published?.candidate, published?.isWorse], [1 / 30, 1 / 30, false])
  assert.ok(published && published.low < 0 && published.high > 0)
  assert.throws(() => compareModels(saidBy(right), saidBy(right).toReversed()), /measured on different posts/)
})

test('each model is measured with its own thresholds: the same scores are worse with thresholds that publish everything', () => {
  const lax = { ...thresholds, local: { ...thresholds.local, publish: 1, suspect: 1, suspect_category: 1 } }
  const said = saidBy(right).map(({ post, opinion }) => {
    const overall = opinion.local.overall * 0.95
    return { post, opinion: { ...opinion, local: { ...opinion.local, scores: noScores, overall } } }
  })
  const namesOf = (candidate: typeof thresholds) =>
    compareModels(said, said, { live: thresholds, candidate })
      .filter(({ isWorse }) => isWorse)
      .map(({ name }) => name)
  assert.deepEqual([namesOf(thresholds), namesOf(lax)], [[], ['violating published']])
})
