import { join } from 'node:path'
import { readSet } from '../../../model/eval/data/read-set.ts'
import { textOf } from '../../../model/eval/models/open-model.ts'
import { answerTexts } from '../../../model/server/local/answer-texts.ts'
import { type Encode, openEncoder } from '../../../model/server/local/encoder/compare.ts'
import { readWeights, type Weights } from '../../../model/server/local/scoring/weights.ts'
import { cacheShortTexts } from '../../../model/server/local/short-text-cache.ts'
import { readOptions } from '../../../tooling/script-options.ts'
import { repoDir } from '../../../tooling/services/state.ts'

const posts = 175
const warmUp = 20
const storyWords = 2_450

/** CPU time of the local model for a post and its author's name, on one thread: median, p95 and the longest story. */
export async function benchModel(args: string[]): Promise<void> {
  readOptions(args, {})
  const { weights } = await readWeights(join(repoDir, 'model/weights/local'))
  const encode = cacheShortTexts(await openEncoder(weights.kernel))
  const harmless = readSet(join(repoDir, 'model/data')).posts.filter(
    ({ violating, language }) => !violating && language === 'en',
  )
  const texts = harmless
    .filter((_, index) => index % Math.floor(harmless.length / posts) === 0)
    .map(({ parts }) => textOf(parts))
  for (const text of texts.slice(0, warmUp)) await cpuOf(weights, encode, text)
  const times: number[] = []
  for (const text of texts) times.push(await cpuOf(weights, encode, text))
  times.sort((one, other) => one - other)
  const story = texts.join(' ').split(/\s+/).slice(0, storyWords).join(' ')
  const longest = [await cpuOf(weights, encode, story), await cpuOf(weights, encode, story)]
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  console.log(`${times.length} posts: median ${at(0.5)} ms of CPU time, p95 ${at(0.95)} ms`)
  console.log(`a story of ${storyWords} words: ${Math.min(...longest).toFixed(0)} ms`)
  console.log(`resident memory with one thread: ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
}

async function cpuOf(weights: Weights, encode: Encode, text: string): Promise<number> {
  const before = process.cpuUsage()
  await answerTexts(weights, encode, [text, 'Ada Example'])
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
