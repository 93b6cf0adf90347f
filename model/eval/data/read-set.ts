import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { TextPart } from '../../../src/contract/text/text.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { type PolicyCategoryId, policyCategoryIds } from '../../../src/policy/policy.ts'

export type EvalPost = {
  id: string
  kind: string
  /** The visible text, as the stages receive it. */
  parts: readonly TextPart[]
  /** The category that the post breaks or nearly breaks; null if it is not close to any. */
  category: PolicyCategoryId | null
  violating: boolean
  /** Whether the post is close to a rule but does not break it. */
  near: boolean
  /** The author. Posts by one author are similar, so some figures leave out whole authors. */
  author: string
  /** ISO 639-1. */
  language: string
  /** Whether the post is hidden from the people who develop rules, thresholds and weights. */
  sealed: boolean
}

export type EvalSet = { posts: readonly EvalPost[]; hash: string }

/** Breaks a rule; close to a rule without breaking it; or not close to any rule. */
export type Group = 'violating' | 'near_miss' | 'clean'
export const groupOf = ({ violating, near }: Pick<EvalPost, 'violating' | 'near'>): Group =>
  violating ? 'violating' : near ? 'near_miss' : 'clean'

/** The author of the first posts, which the categories were trained on. */
export const firstAuthor = 'house'

const thirdOf = (name: string): boolean => Number(createHash('sha256').update(name).digest()[0]) < 85

/** The id alone determines whether a post is sealed, so that nobody can choose. A third of all ids are. */
export const isSealed = (id: string): boolean => thirdOf(`2026-11-16 ${id}`)

/**
 * Of the first posts, only those that an earlier sealed third also excluded, because the categories were trained on the
 * others.
 */
export const isSealedOfFirst = (id: string): boolean => isSealed(id) && thirdOf(id)

const kindName = z.enum(kinds.map(({ name }) => name))

const row = z
  .strictObject({
    id: z.string().regex(/^[a-z_]+-(?:[vn]-)?\d{2,3}$/),
    kind: kindName,
    title: z.string().min(1).optional(),
    text: z.string(),
    category: z.enum(policyCategoryIds).nullable(),
    violating: z.boolean(),
  })
  .refine(({ kind, title }) => (kind === 'message') === (title === undefined), {
    message: 'a message has no title, and every other kind has one',
  })
  .refine(({ category, violating }) => category !== null || !violating, { message: 'a violating post has a category' })
  .refine(({ id, category, violating }) => id.startsWith(idPrefix(category, violating)), {
    message: 'the id does not match the row',
  })

const idPrefix = (category: string | null, violating: boolean) =>
  category === null ? 'clean-' : `${category}-${violating ? 'v' : 'n'}-`

/** A post in `authors/`. The file is named after the author. */
const authorRow = z
  .strictObject({
    id: z.string().regex(/^[a-z]+-[hv]-\d{3}$/),
    kind: kindName,
    title: z.string().min(1).optional(),
    text: z.string().min(1),
    category: z.enum(policyCategoryIds).nullable(),
    near: z.boolean(),
    language: z.string().regex(/^[a-z]{2}$/),
    violating: z.boolean(),
  })
  .refine(({ kind, title }) => (kind === 'message') === (title === undefined), {
    message: 'a message has no title, and every other kind has one',
  })
  .refine(({ category, violating }) => (category !== null) === violating, {
    message: 'a violating post has a category, and no other has one',
  })
  .refine(({ near, violating }) => !near || !violating, { message: 'a near miss breaks no rule' })

/** Reads every post in the folder. Throws at the first invalid one, with its file and line. */
export function readSet(folder: string): EvalSet {
  const files = (place: string) =>
    existsSync(place)
      ? readdirSync(place)
          .filter((file) => file.endsWith('.jsonl'))
          .sort()
          .map((file) => join(place, file))
      : []
  const rows = [...files(folder).flatMap(readRows), ...files(join(folder, 'authors')).flatMap(readAuthor)]
  if (rows.length === 0) throw new Error(`${folder} contains no posts.`)
  for (const member of ['id', 'text'] as const) {
    const twice = firstRepeated(rows.map((one) => one[member]))
    if (twice !== undefined) throw new Error(`Two rows of the set have the same ${member}: ${whichOne(rows, twice)}.`)
  }
  return { posts: rows.map(toPost), hash: hashOf(rows) }
}

type Row = z.output<typeof authorRow> & { author: string }

function readRows(path: string): Row[] {
  const category = basename(path, '.jsonl')
  return readLines(path, row).map(({ value, place }) => {
    if ((value.category ?? 'clean') !== category) throw new Error(`${place}: the row belongs in another file.`)
    return { ...value, near: !value.violating && value.category !== null, language: 'en', author: firstAuthor }
  })
}

function readAuthor(path: string): Row[] {
  const author = basename(path, '.jsonl')
  return readLines(path, authorRow).map(({ value, place }) => {
    if (!value.id.startsWith(`${author}-${value.violating ? 'v' : 'h'}-`))
      throw new Error(`${place}: the id does not match the row.`)
    return { ...value, author }
  })
}

/** Reads and validates the lines of a JSON Lines file. An error names the line number and does not quote the line. */
function readLines<Schema extends z.ZodType>(path: string, schema: Schema) {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const place = `${basename(path)}:${index + 1}`
    const result = schema.safeParse(parseLine(line))
    if (result.success) return [{ value: result.data, place }]
    const issues = result.error.issues.map((issue) => `${issue.path.join('.') || 'row'}: ${issue.message}`)
    throw new Error(`${place}: ${issues.join('; ')}`)
  })
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const toPost = ({ title, text, ...row }: Row): EvalPost => ({
  ...row,
  parts:
    title === undefined
      ? [{ field: 'text', text }]
      : [
          { field: 'title', text: title },
          { field: 'body', text },
        ],
  sealed: row.author === firstAuthor ? isSealedOfFirst(row.id) : isSealed(row.id),
})

function hashOf(rows: readonly Row[]): string {
  const sorted = rows.map((one) => JSON.stringify(Object.entries(one).sort())).sort()
  return createHash('sha256').update(sorted.join('\n')).digest('hex').slice(0, 12)
}

function firstRepeated(values: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return values.find((value) => seen.size === seen.add(value).size)
}

const whichOne = (rows: readonly Row[], value: string) =>
  rows
    .filter(({ id, text }) => id === value || text === value)
    .map(({ id }) => id)
    .join(', ')
