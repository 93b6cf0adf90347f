import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openEmbedder } from '../server/local/encoder/embed.ts'
import { learntCategories } from '../server/local/local-model.ts'
import { openLocalModel } from '../server/local/open-local-model.ts'
import { kernelScore, nearnessOf } from '../server/local/scoring/kernel.ts'
import { readPart } from '../server/local/scoring/score.ts'
import { readWeights } from '../server/local/scoring/weights.ts'
import type { OwnPost } from './data/own-rows.ts'
import { clean, type Row } from './data/rows.ts'
import { writeFeatures } from './export-features.ts'
import { readThresholds } from './release/install-model.ts'

const directory = mkdtempSync(join(tmpdir(), 'training-'))
after(() => rmSync(directory, { recursive: true }))

const goods = ['coins', 'watches', 'pills', 'shares', 'phones', 'bags', 'loans', 'shoes']
const posts = goods.flatMap((good, number): OwnPost[] => {
  const about = { author: `author ${number % 3}`, weight: 1 }
  return [
    {
      ...about,
      id: `v-${good}`,
      text: `Buy cheap ${good} now, best price!!! Click here.`,
      ...{ category: 'spam', isViolating: true },
    },
    {
      ...about,
      id: `h-${good}`,
      text: `Our museum has a talk about ${good} on Sunday.`,
      ...{ category: null, isViolating: false },
    },
  ]
})
const rows = posts.map(
  ({ text, isViolating }): Row => ({ text, labels: isViolating ? { spam: 1 } : clean, source: 'committed', weight: 4 }),
)

const embed = await openEmbedder()

async function train(name: string, rows: readonly Row[]) {
  const features = join(directory, `${name}-features`)
  const out = join(directory, name)
  const vectorsOf = async (texts: readonly string[]) => {
    const vectors = await embed(texts)
    return { of: (text: string) => vectors[texts.indexOf(text)] as Float32Array }
  }
  await writeFeatures(features, { posts, rows, sets: {}, sources: [] }, vectorsOf)
  const script = join(import.meta.dirname, 'train.py')
  execFileSync('/usr/bin/python3', ['-B', script, 'moderation', '--features', features, '--out', out])
  return { out, ...(await readWeights(out)) }
}

const live = join(import.meta.dirname, '../weights/local')
const kept = await train('kept', [])

test('without rows of public sets the categories stay, and Python scores texts as the server does', async () => {
  const { kernel: _, overall: __, ...categories } = kept.weights
  const { kernel: ___, overall: ____, ...before } = (await readWeights(live)).weights
  assert.deepEqual(categories, before)
  await using model = await openLocalModel({ threads: 1, directory: live })
  const served = await model.score(posts.map(({ text }) => text))
  const leftOut: [string, number, ...number[]][] = JSON.parse(readFileSync(join(kept.out, 'left-out.json'), 'utf8'))
  for (const [index, [id, , ...probabilities]] of leftOut.entries()) {
    assert.equal(id, posts[index]?.id)
    const scores = learntCategories.map((category) => served[index]?.scores[category] ?? -1)
    assert.ok(scores.every((score, at) => Math.abs(score - (probabilities[at] as number)) < 0.001))
  }
})

test('the server’s score of each post is the solution of the ridge regression', async () => {
  const { weights } = kept
  const vectors = await embed(posts.map(({ text }) => text))
  for (const [index, { text, isViolating }] of posts.entries()) {
    const embedding = vectors[index] as Float32Array
    const nearness = nearnessOf(weights.kernel, embedding)
    const score = kernelScore(weights.kernel, { ...readPart(weights, text, embedding), nearness })
    // The kernel's share is in the stored numbers, and a violating post weighs more than a harmless one.
    const residual = (weights.kernel.alphas[index] as number) / 8 / (isViolating ? 1.5 : 1)
    assert.ok(Math.abs(score - ((isViolating ? 1 : -0.5) - residual)) < 0.02, `${text}: ${score}`)
  }
})

test('a candidate has thresholds for its version, and scores the posts of each author without that author', () => {
  assert.equal(readThresholds(join(kept.out, 'thresholds.json')).model, kept.version)
  const leftOut: [string, number][] = JSON.parse(readFileSync(join(kept.out, 'left-out.json'), 'utf8'))
  const highestHarmless = Math.max(...leftOut.flatMap(([id, overall]) => (id.startsWith('h') ? overall : [])))
  assert.ok(leftOut.every(([id, overall]) => id.startsWith('h') || overall > highestHarmless))
})

test('with rows the categories are learnt, and the server reads them', async () => {
  const learnt = await train('learnt', rows)
  await using model = await openLocalModel({ threads: 1, directory: learnt.out })
  const [spam, talk] = await model.score(['Buy cheap hats now, best price!!!', 'A talk about hats on Sunday.'])
  assert.ok((spam?.scores.spam ?? 0) > (talk?.scores.spam ?? 1) + 0.1, JSON.stringify([spam, talk]))
})

test('weights that do not match their manifest are rejected', async () => {
  appendFileSync(join(kept.out, 'ngrams.bin'), 'x')
  await assert.rejects(readWeights(kept.out), /ngrams\.bin does not match the manifest/)
})
