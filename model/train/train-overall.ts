import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { embedTexts, partsOf } from '../eval/embeddings/embed-texts.ts'
import { manifestSchema, readCategoryWeights } from '../server/local/scoring/weights.ts'
import { readOwnPosts } from './data/own-rows.ts'
import { learnKernel } from './fitting/learn-kernel.ts'
import { chooseThresholds } from './release/choose-thresholds.ts'
import { writeLeftOut } from './release/write-left-out.ts'
import { writeWeights } from './release/write-weights.ts'

const shipped = join(import.meta.dirname, '../weights/local')

/**
 * Relearns the probability that a post breaks any rule, over the shipped categories. It needs only the project's own
 * posts.
 */
export async function trainOverall({ labels, out }: { labels?: string | undefined; out: string }): Promise<void> {
  const posts = readOwnPosts(labels)
  const vectors = await embedTexts(posts.flatMap(({ text }) => partsOf(text)))
  const categories = await readCategoryWeights(shipped)
  const { kernel, overall, unseen } = learnKernel({ posts, vectors, categoriesFor: () => categories })
  const { seed, base, sources } = manifestSchema
    .pick({ seed: true, base: true, sources: true })
    .loose()
    .parse(JSON.parse(readFileSync(join(shipped, 'manifest.json'), 'utf8')))
  const hashes = writeWeights(out, { ...categories, kernel, overall }, { seed, base, sources })
  for (const [file, hash] of Object.entries(hashes)) console.log(`${hash}  ${file}`)
  writeLeftOut(out, unseen)
  await chooseThresholds(unseen, { directory: out, isShipped: resolve(out) === shipped })
}
