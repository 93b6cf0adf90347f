import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerTexts } from './answer-texts.ts'
import { openEncoder } from './encoder/compare.ts'
import { openLocalModel } from './open-local-model.ts'
import { readWeights } from './scoring/weights.ts'

const honest = 'Oak table, 120. Collect near the old mill on Saturday, and bring a friend to help you carry it.'
const scam = 'Send 500 BTC and get 10x back within a day, guaranteed profit, write to our mentor on telegram!'
const threat = 'I will find out where you live and kill you.'
const welsh = "Mae'r cyfarfod nesaf nos Fawrth am saith o'r gloch yn neuadd y pentref. Croeso cynnes i bawb."
const german = 'Wir treffen uns am Freitag an der alten Mühle, um über den Garten zu sprechen.'

test('the shipped weights distinguish harmful from honest posts', async () => {
  await using model = await openLocalModel({ threads: 1 })
  const [first, fraud, harm, other, unlisted] = await model.score([honest, scam, threat, german, welsh])
  assert.match(model.version, /^[0-9a-f]{12}$/)
  assert.ok(first?.judged && Math.max(...Object.values(first.scores)) < 0.3)
  assert.ok((fraud?.scores.scam_fraud ?? 0) > 0.5)
  // Violence is the model's weakest category: see docs/model-card.md.
  assert.ok((harm?.scores.violence_threats ?? 0) > 10 * (first?.scores.violence_threats ?? 1))
  assert.ok((harm?.overall ?? 0) > (first?.overall ?? 1))
  assert.equal(other?.judged, true)
  assert.deepEqual([unlisted?.judged, unlisted?.reason], [false, 'language'])
  assert.deepEqual(await model.score([]), [])
})

/** 1,200 different words: at least 40 windows. */
const long = Array.from({ length: 100 }, (_, at) => `On day ${at} the garden by the old mill had ${at} roses. `).join(
  '',
)

test('a long text takes turns with others, and gets the same scores as in one step', async () => {
  await using model = await openLocalModel({ threads: 1 })
  const order: string[] = []
  const note = (name: string) => (answers: unknown) => {
    order.push(name)
    return answers
  }
  const asked = model.score([long]).then(note('long'))
  await Promise.all([1, 2, 3].map((number) => model.score([`${honest} ${number}`]).then(note('short'))))
  assert.deepEqual(order, ['short', 'short', 'short'])
  const { weights } = await readWeights(join(import.meta.dirname, '../../weights/local'))
  assert.deepEqual(await asked, await answerTexts(weights, await openEncoder(weights.kernel), [long]))
  const { finished = 0, waiting } = model.progress?.() ?? {}
  assert.ok(finished > 40 && waiting === 0)
})

test('a directory without weights is an error at startup', async () => {
  await assert.rejects(openLocalModel({ directory: tmpdir() }), /manifest\.json/)
})
