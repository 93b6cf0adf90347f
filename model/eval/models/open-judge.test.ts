import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completion, sendJson, startJudge, verdict } from '../../../tooling/models/judge-server.ts'
import { postOf, standInModel } from '../data/example-set.ts'
import { measureStage } from '../scoreboard/measure.ts'
import { openJudge } from './open-judge.ts'
import { observePosts, onlyStage } from './open-model.ts'

test('without JUDGE_URL there is no judge', () => assert.equal(openJudge({}), null))

test('both the responses and the failures of a judge are measured', async () => {
  await using server = await startJudge((response, { body, nonce }) => {
    const asked = body.messages.at(-1)?.content ?? ''
    if (asked.includes('broken')) return sendJson(response, completion('no verdict'))
    const refusal = { verdict: 'reject', category: 'scam_fraud', score: 0.8 }
    return sendJson(response, completion(verdict(nonce, asked.includes('fortune') ? refusal : {})))
  })
  const opened = openJudge({ JUDGE_URL: server.options.url })
  assert.ok(opened)
  const posts = [
    postOf('Send me your fortune and I will double it by tomorrow evening.', 'scam_fraud', true),
    postOf('The garden is open on Sunday, and the soup is for everyone.'),
    postOf('A broken answer is what the judge will give to this harmless post.'),
  ]
  const observed = await observePosts(posts, { model: standInModel(), judge: opened.judge })
  assert.deepEqual(
    observed.map(({ opinion: { judge } }) => (typeof judge === 'string' ? judge : judge.verdict)),
    ['reject', 'accept', 'failed'],
  )
  const alone = measureStage(observed.map(({ post, opinion }) => ({ post, opinion: onlyStage(opinion, 'judge') })))
  assert.equal(alone.shares.clean?.published.share, 0.5)
  assert.equal(alone.shares.clean?.review.share, 0.5)
  // One stage alone never leads to a penalty.
  assert.equal(alone.shares.violating?.review.share, 1)
  assert.equal(alone.categories[0]?.recall, 1)
  assert.notEqual(opened.identity.version, '')
})
