import assert from 'node:assert/strict'
import type pg from 'pg'
import { branchesOf, writeBranch } from '../../../../src/search/branches.ts'
import { readQuery } from '../../../../src/search/read-query.ts'
import { foldWord } from '../../../../src/text-analysis/fold.ts'
import { languageNames, languages } from '../../../../src/text-analysis/languages.ts'
import { lexemesOf } from '../../../../src/text-analysis/lexemes.ts'
import { type Random, randomFor } from '../../../../tooling/random.ts'
import { makeVocabulary, type Vocabulary } from '../../../generation/seed/vocabulary.ts'

export type BenchQuery = Partial<Record<'q' | 'kind' | 'topic' | 'country' | 'sort', string>> & { q: string }
export type QueryClass = { name: string; queries: BenchQuery[] }

const perClass = 32
/** The share of all posts that contain a word of each class. */
const shares = { common: [0.1, 0.25], middling: [0.002, 0.02], uncommon: [0.0003, 0.002] } as const
/** The number of posts that contain a rare word. If the vocabulary has no words that are so rare, its rarest are used. */
const rareRows = { from: 15, wanted: 30, to: 60 }

/** Queries of every class, chosen by how many posts of this database contain their words. The same in every run. */
export async function drawQueries(pool: pg.Pool, posts: number): Promise<QueryClass[]> {
  const random = randomFor(7, posts)
  const vocabulary = makeVocabulary(1)
  const sample = await readSample(pool, posts)
  const words = sortByShare(vocabulary, sample)
  const rare = await findRare(pool, vocabulary, { posts, wordsPerPost: sample.wordsPerPost, random })
  const common = () => random.pick(words.common)
  /** Never chooses the same word twice: a word that is both required and excluded matches nothing. */
  const two = (join: (one: string, other: string) => string): string => {
    const [one, other] = [common(), common()]
    return one === other ? two(join) : join(one, other)
  }
  const repeat = (draw: () => BenchQuery) => Array.from({ length: perClass }, draw)
  const each = (list: readonly string[], more: object = {}) => list.slice(0, perClass).map((q) => ({ q, ...more }))
  return [
    { name: 'rare', queries: each(rare) },
    { name: 'uncommon', queries: each(words.uncommon) },
    { name: 'middling', queries: each(words.middling) },
    { name: 'common', queries: each(words.common) },
    { name: 'common + common', queries: repeat(() => ({ q: two((one, other) => `${one} ${other}`) })) },
    { name: 'common + middling', queries: repeat(() => ({ q: `${common()} ${random.pick(words.middling)}` })) },
    { name: 'common or rare', queries: repeat(() => ({ q: `${common()} or ${random.pick(rare)}` })) },
    { name: 'common, not common', queries: repeat(() => ({ q: two((one, other) => `${one} -${other}`) })) },
    { name: 'phrase of a post', queries: drawPhrases(sample, words, random) },
    { name: 'phrase of two common', queries: repeat(() => ({ q: two((one, other) => `"${one} ${other}"`) })) },
    { name: 'common, country', queries: repeat(() => ({ q: common(), country: random.pick(sample.countries) })) },
    { name: 'common, kind, topic', queries: repeat(() => ({ q: common(), ...random.pick(sample.shelves) })) },
    {
      name: 'rare, country',
      queries: repeat(() => ({ q: random.pick(rare), country: random.pick(sample.countries) })),
    },
    { name: 'newest, common', queries: each(words.common, { sort: 'newest' }) },
    {
      name: 'newest, common + common',
      queries: repeat(() => ({ q: two((one, other) => `${one} ${other}`), sort: 'newest' })),
    },
    { name: 'newest, middling', queries: each(words.middling, { sort: 'newest' }) },
    { name: 'newest, rare', queries: each(rare, { sort: 'newest' }) },
  ]
}

const sampleSize = 20_000

type Sample = Awaited<ReturnType<typeof readSample>>

async function readSample(pool: pg.Pool, posts: number) {
  const share = Math.min(100, (100 * sampleSize) / posts)
  const of = `tablesample bernoulli (${share}) repeatable (1)`
  const { rows } = await pool.query<{ word: string; ndoc: number }>(
    `select word, ndoc from ts_stat('select words from search_entries ${of}')`,
  )
  const { rows: posted } = await pool.query<{ kind: string; content: Content; length: number }>(
    `select kind, content, length(words) from posts ${of} join search_entries on post_id = id`,
  )
  return {
    posts: posted.length,
    /** The number of sampled posts with this lexeme. */
    having: new Map(rows.map(({ word, ndoc }) => [word, ndoc])),
    wordsPerPost: posted.reduce((sum, { content }) => sum + textOf(content).split(' ').length, 0) / posted.length,
    texts: posted.map(({ content }) => textOf(content)),
    countries: posted.flatMap(({ content }) => content.location?.country ?? []),
    shelves: posted.flatMap(({ kind, content }) => content.topics.slice(0, 1).map((topic) => ({ kind, topic }))),
  }
}

type Content = { title?: string; body?: string; text?: string; topics: string[]; location?: { country: string } }

const textOf = ({ title = '', body = '', text = '' }: Content) => `${title} ${body}${text}`

type SortedWords = Record<keyof typeof shares, string[]>

/** Function words are left out, because a search does not require them. */
function sortByShare({ words }: Vocabulary, { having, posts }: Sample): SortedWords {
  const shared = words.slice(0, 20_000).flatMap((word) => {
    if (languages.en.functionWords.has(word)) return []
    const lexemes = new Set(
      [null, ...languageNames].flatMap((language) => lexemesOf({ text: word, folded: foldWord(word) }, language)),
    )
    const rows = [...lexemes].reduce((sum, lexeme) => sum + (having.get(lexeme) ?? 0), 0)
    return [{ word, share: rows / posts }]
  })
  const within = ([from, to]: readonly [number, number]) =>
    shared.filter(({ share }) => share >= from && share <= to).map(({ word }) => word)
  const { common, middling, uncommon } = shares
  const found = { common: within(common), middling: spread(within(middling)), uncommon: spread(within(uncommon)) }
  for (const [name, list] of Object.entries(found))
    assert(list.length >= 30, `only ${list.length} words are ${name} here; seed more posts`)
  return found
}

/** As many words as needed, spread over the whole range. */
const spread = (words: readonly string[]) =>
  Array.from({ length: Math.min(words.length, perClass) }, (_, index) =>
    String(words[Math.floor((index * words.length) / Math.min(words.length, perClass))]),
  )

type Rare = { posts: number; wordsPerPost: number; random: Random }

/** Estimates the frequency from the rank, then counts the actual matches. */
async function findRare(
  pool: pg.Pool,
  vocabulary: Vocabulary,
  { posts, wordsPerPost, random }: Rare,
): Promise<string[]> {
  const { words, shareOf } = vocabulary
  const expected = (rank: number) => shareOf(rank) * wordsPerPost * posts
  let rank = words.length - 1
  while (rank > 0 && expected(rank) < rareRows.wanted) rank--
  const scale = Math.max(1, expected(rank) / rareRows.wanted)
  const found = new Set<string>()
  for (let tries = 0; found.size < perClass && tries < perClass * 20; tries++) {
    const word = String(words[Math.min(words.length - 1, Math.max(0, rank + random.below(2_000) - 1_000))])
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int from search_entries where words @@ $1::tsquery',
      [
        branchesOf(readQuery(word, { isTyped: false }))
          .map(writeBranch)
          .join(' | '),
      ],
    )
    const count = Number(rows[0]?.count)
    if (count >= rareRows.from * scale && count <= rareRows.to * scale) found.add(word)
  }
  assert(found.size >= 30, `only ${found.size} words are rare here; seed more posts`)
  return [...found]
}

/** Two adjacent words of a post. Neither is a function word or rare enough to be found alone. */
function drawPhrases({ texts }: Sample, words: SortedWords, random: Random): BenchQuery[] {
  const known = new Set([...words.common, ...words.middling])
  const phrases = texts.flatMap((text) => {
    const all = text.toLowerCase().split(/[\s.,]+/)
    return all.flatMap((word, at) =>
      known.has(word) && known.has(all[at + 1] ?? '') ? [`"${word} ${all[at + 1]}"`] : [],
    )
  })
  assert(phrases.length >= perClass, 'the sample has too few phrases; seed more posts')
  return Array.from({ length: perClass }, () => ({ q: random.pick(phrases) }))
}

export type Statement = { text: string; values: unknown[] }
