import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf } from '../eval/data/outside-sets.ts'
import { embedTexts, partsOf, type Vectors } from '../eval/embeddings/embed-texts.ts'
import { conceptNames, measureConcepts } from '../server/local/features/concepts/measure-concepts.ts'
import { isPerhapsEnglish } from '../server/local/features/language.ts'
import { lexiconNames, measureWords } from '../server/local/features/lexicon.ts'
import { hashNgrams } from '../server/local/features/ngrams.ts'
import { cutText, prepareText } from '../server/local/features/prepare-text.ts'
import { learntCategories } from '../server/local/local-model.ts'
import { isLikePost } from '../server/local/scoring/score.ts'
import { hashOfLexicon } from '../server/local/scoring/weights.ts'
import { type MeasuredText, measuredSets } from './data/evaluation-sets.ts'
import { gatherRows, licences } from './data/gather-rows.ts'
import { type OwnPost, readOwnPosts } from './data/own-rows.ts'
import type { Row } from './data/rows.ts'

/** N-grams have 2 to the power of this many buckets. */
const ngramBits = 17

type Options = { data?: string | undefined; labels?: string | undefined; seed: number }

/** Gathers all texts and writes their features. Without third-party data there are no rows to learn categories from. */
export async function exportFeatures(directory: string, { data, labels, seed }: Options): Promise<void> {
  const posts = readOwnPosts(labels)
  const rows = data === undefined ? [] : gatherRows(posts, { data, seed })
  const counts = Map.groupBy(rows, ({ source }) => source)
  const sources = [...counts.keys()].sort().map((name) => ({
    name,
    licence: licences.get(name) ?? 'Apache-2.0, written for this project',
    rows: counts.get(name)?.length,
  }))
  for (const { name, rows: count } of sources) console.log(`${String(count).padStart(6)}  ${name}`)
  await writeFeatures(directory, { posts, rows, sets: data === undefined ? {} : measuredSets(data), sources })
  console.log(`The features of ${posts.length} posts and ${rows.length} rows are in ${directory}.`)
}

type Embed = (texts: readonly string[]) => Promise<Vectors>

type Exported = {
  posts: readonly OwnPost[]
  rows: readonly Row[]
  sets: Readonly<Record<string, readonly MeasuredText[]>>
  sources: readonly object[]
}

/**
 * Writes what training reads: the labels and parts of each text, and the features of each part, computed by the code of
 * the model server. It writes no text.
 */
export async function writeFeatures(
  directory: string,
  { posts, rows, sets, sources }: Exported,
  embed: Embed = embedTexts,
): Promise<void> {
  const numbers = new Map<string, number>()
  const numberOf = (part: string) => {
    const number = numbers.get(part) ?? numbers.size
    numbers.set(part, number)
    return number
  }
  const about = {
    categories: learntCategories,
    lexicon: { size: lexiconNames.length, sha256: hashOfLexicon() },
    concepts: conceptNames.length,
    ngram_bits: ngramBits,
    sources,
    posts: posts.map(({ id, author, text, isViolating, weight }) => {
      const parts = partsOf(text)
      return {
        ...{ id, author, weight, key: hashed(keyOf(text)), violating: isViolating },
        english: isPerhapsEnglish(prepareText(text)),
        parts: parts.map(numberOf),
        // The whole text, and the parts that are long enough to be a post.
        scored: parts.map((part, index) => index === 0 || isLikePost(part)),
      }
    }),
    rows: rows.map(({ text, labels, source, weight, group }) => ({
      ...{ source, weight, key: hashed(group ?? keyOf(text)) },
      labels: learntCategories.map((category) => labels[category] ?? null),
      part: numberOf(cutText(prepareText(text))),
    })),
    sets: Object.fromEntries(
      Object.entries(sets).map(([name, texts]) => [
        name,
        texts.map(({ text, ...one }) => ({ ...one, key: hashed(keyOf(text)), parts: partsOf(text).map(numberOf) })),
      ]),
    ),
  }
  mkdirSync(directory, { recursive: true })
  await writeParts(directory, [...numbers.keys()], embed)
  writeFileSync(join(directory, 'features.json'), JSON.stringify(about))
}

const hashed = (key: string) => createHash('sha256').update(key).digest('hex')

/** The features of all parts, as little-endian numbers of four bytes. */
async function writeParts(directory: string, parts: readonly string[], embed: Embed): Promise<void> {
  const vectors = await embed(parts)
  const lexicons = parts.map(measureWords)
  const ngrams = parts.map((part, index) => hashNgrams(part, ngramBits, lexicons[index]))
  const starts = new Uint32Array(parts.length + 1)
  for (const [index, { buckets }] of ngrams.entries()) starts[index + 1] = (starts[index] as number) + buckets.length
  const tables: Record<string, readonly (Float32Array | Uint32Array)[]> = {
    'embeddings.f32': parts.map(vectors.of),
    'lexicon.f32': lexicons,
    'concepts.f32': parts.map(measureConcepts),
    'ngram-starts.u32': [starts],
    'ngram-buckets.u32': ngrams.map(({ buckets }) => buckets),
    'ngram-values.f32': ngrams.map(({ values }) => values),
  }
  for (const [name, arrays] of Object.entries(tables)) {
    const bytes = arrays.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))
    writeFileSync(join(directory, name), Buffer.concat(bytes))
  }
}
