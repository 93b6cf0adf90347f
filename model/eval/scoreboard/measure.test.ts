import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBreaches, runAttacks } from '../attacks/attacks.ts'
import { measureObfuscation } from '../attacks/obfuscation.ts'
import { postOf, standInModel } from '../data/example-set.ts'
import { noScores, observePosts, onlyStage } from '../models/open-model.ts'
import { measureStage } from './measure.ts'

const quiet = { model: standInModel() }

test('the figures of a small set match a manual count', async () => {
  const posts = [
    postOf('A sharp offer, spam0.9, for everybody who reads this today.', 'spam', true),
    postOf('A softer offer, spam0.01, for somebody who reads this later.', 'spam', true),
    postOf('A warning about offers, spam0.6, which nobody should take.', 'spam', false),
    postOf('The garden is open on Sunday, and the soup is for everyone.'),
    postOf('Something is planned for some time, and somebody will say more of it.', 'low_quality', true),
  ]
  const figures = measureStage(await observePosts(posts, quiet))
  assert.equal(figures.violating_published?.share, 2 / 3)
  assert.equal(figures.abusive_published?.share, 0.5)
  assert.equal(figures.shares.violating?.review.share, 1 / 3)
  assert.equal(figures.shares.near_miss?.review.share, 1)
  assert.equal(figures.shares.clean?.published.share, 1)
  assert.equal(figures.benign_rejected?.share, 0)
  assert.equal(figures.review_share?.share, 0.4)
  // Positives at ranks 1 and 3, and the third one tied with a harmless post at the end.
  assert.ok(Math.abs(Number(figures.average_precision?.value) - (1 + 2 / 3 + 3 / 5) / 3) < 1e-9)
  // 0.9 → 1; 0.6 → 0; and 0.01, 0 and 0 share a bin with two positives.
  assert.ok(Math.abs(Number(figures.calibration_error?.value) - (0.1 + 0.6 + 3 * (2 / 3 - 0.01 / 3)) / 5) < 1e-9)
  const [spam, poor] = figures.categories
  assert.deepEqual(
    [poor?.category, poor?.n, poor?.violating, poor?.precision, poor?.recall],
    ['low_quality', 3, 1, null, 0],
  )
  assert.deepEqual(
    [
      figures.categories.length,
      spam?.category,
      spam?.n,
      spam?.violating,
      spam?.precision,
      spam?.recall,
      spam?.published,
    ],
    [2, 'spam', 4, 2, 0.5, 0.5, 0.5],
  )
})

test('a text that the model cannot judge goes to review', async () => {
  const figures = measureStage(
    await observePosts([postOf('This is unreadable to the model, whatever it may say.')], quiet),
  )
  assert.equal(figures.shares.clean?.review.share, 1)
})

test('a stage measured alone goes through the same table without the other stages', async () => {
  const [observed] = await observePosts(
    [postOf('spam0.9 is what the model sees in this text, and nothing else.')],
    quiet,
  )
  assert.ok(observed)
  assert.equal(onlyStage(observed.opinion, 'local').local.scores.spam, 0.9)
  assert.equal(onlyStage(observed.opinion, 'rules').local.scores.spam, 0)
  assert.equal(onlyStage({ ...observed.opinion, judge: 'failed' }, 'local').judge, 'absent')
})

test('no attack passes a stage that detects it, and none passes a failing judge', async () => {
  const posts = ['one', 'two', 'three'].map((word) =>
    postOf(`This is post ${word}, in which the model sees scam_fraud0.8 and nothing else.`, 'scam_fraud', true),
  )
  const { breaches, wrappers, posts: count } = await runAttacks(posts, standInModel())
  assert.deepEqual(breaches, [])
  assert.equal(count, 3)
  assert.equal(wrappers.length, 13)
  const dilution = wrappers.find(({ wrapper }) => wrapper === 'dilution')
  assert.deepEqual([dilution?.seen_by_local, dilution?.published_with_accepting_judge], [1, 0])
})

test('an attack that no stage detects counts as published', async () => {
  const posts = [postOf('A scam that neither the rules nor the model have ever heard of.', 'scam_fraud', true)]
  const { wrappers, published_with_accepting_judge: published } = await runAttacks(posts, standInModel())
  const translation = wrappers.find(({ wrapper }) => wrapper === 'translation')
  assert.equal(translation?.published_with_accepting_judge, 1)
  assert.ok(published.share > 0)
})

test('a breach is detected', () => {
  const opinion = {
    rules: { scores: noScores, mentionsMinors: false },
    local: { scores: noScores, overall: 0, judged: true },
    // The run itself sets the judge’s opinion, so its previous value does not matter.
    judge: 'absent' as const,
  }
  const attack = { id: 'spam-v-01', kind: 'message', wrapper: 'none', parts: [] }
  assert.deepEqual(findBreaches([{ post: attack, opinion }]), [])
  const lax = () => 'published' as const
  assert.deepEqual(findBreaches([{ post: attack, opinion }], lax), [
    'spam-v-01 (none): published, though the judge failed',
  ])
})

test('disguised text is detected again in its canonical form', async () => {
  const blind = { ...standInModel(), score: async (texts: readonly string[]) => texts.map(nothing) }
  const posts = [postOf('This post has the words pictures for sale in it.', 'scam_fraud', true)]
  const seeing = {
    ...standInModel(),
    score: async (texts: readonly string[]) =>
      texts.map((text) => ({
        scores: { ...noScores, scam_fraud: Number(text.includes('pictures')) },
        overall: 0,
        judged: true,
      })),
  }
  const figures = await measureObfuscation(posts, { whole: blind, shipped: seeing }, undefined)
  assert.deepEqual(
    figures.map(({ collection, n, before, after }) => [collection, n, before, after]),
    Array(7).fill(['committed set', 1, 0, 1]),
  )
})
const nothing = () => ({ scores: noScores, overall: 0, judged: true })
