import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { openLocalModel } from './open-local-model.ts'

const honest = 'Oak table, 120. Collect near the old mill on Saturday, and bring a friend to help you carry it.'
const scam = 'Send 500 BTC and get 10x back within a day, guaranteed profit, write to our mentor on telegram!'
const threat = 'I will find out where you live and kill you.'
const german = 'Wir treffen uns am Freitag an der alten Mühle, um über den Garten zu sprechen.'

test('the shipped weights tell harm from an honest post', async () => {
  await using model = await openLocalModel({ threads: 1 })
  const [first, fraud, harm, other] = await model.score([honest, scam, threat, german])
  assert.match(model.version, /^[0-9a-f]{12}$/)
  assert.ok(first?.judged && Math.max(...Object.values(first.scores)) < 0.3)
  assert.ok((fraud?.scores.scam_fraud ?? 0) > 0.5)
  // Violence is the weakest of its categories: see docs/model-card.md.
  assert.ok((harm?.scores.violence_threats ?? 0) > 10 * (first?.scores.violence_threats ?? 1))
  assert.ok((harm?.overall ?? 0) > (first?.overall ?? 1))
  assert.deepEqual([other?.judged, other?.reason], [false, 'language'])
  assert.deepEqual(await model.score([]), [])
})

test('a directory without weights is an error at the start', async () => {
  await assert.rejects(openLocalModel({ directory: tmpdir() }), /manifest\.json/)
})
