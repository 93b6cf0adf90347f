import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheShortTexts } from './short-text-cache.ts'

function openCounting() {
  const asked: string[] = []
  const embed = cacheShortTexts(async (texts) => {
    asked.push(...texts)
    return texts.map((text) => Float32Array.of(text.length))
  })
  return { asked, embed }
}

const long = 'a'.repeat(65)

test('a short text is embedded once, a long one each time, and results keep their order', async () => {
  const { asked, embed } = openCounting()
  for (let round = 0; round < 2; round++) {
    const vectors = await embed(['Ada', long, 'Grace H', 'Ada'])
    assert.deepEqual(
      vectors.map((vector) => [...vector]),
      [[3], [65], [7], [3]],
    )
  }
  assert.deepEqual(asked, ['Ada', long, 'Grace H', long])
})

test('beyond two thousand texts, the most recent ones stay', async () => {
  const { asked, embed } = openCounting()
  await embed(['first', 'second'])
  await embed(Array.from({ length: 1_998 }, (_, index) => `name ${index}`))
  await embed(['first', 'one more'])
  asked.length = 0
  await embed(['first', 'one more', 'name 1997', 'second'])
  assert.deepEqual(asked, ['second'])
})

test('failures are not cached', async () => {
  let fails = true
  const embed = cacheShortTexts(async (texts) => {
    if (fails) throw new Error('no')
    return texts.map(() => Float32Array.of(1))
  })
  await assert.rejects(embed(['Ada']))
  fails = false
  assert.deepEqual(
    (await embed(['Ada'])).map((vector) => [...vector]),
    [[1]],
  )
})
