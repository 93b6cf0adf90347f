import assert from 'node:assert/strict'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { firstIdAt } from '../../../src/platform/identifiers.ts'
import { listingPaths } from '../../../src/posts/listing-paths.ts'
import { searchEntryOf } from '../../../src/posts/public/search-entries.ts'
import { type Random, randomFor } from '../../../tooling/random.ts'
import { type Material, writers } from './bodies.ts'
import { signatureLine } from './signatures.ts'
import type { Language } from './vocabulary.ts'

/** Authors are numbered, so that the same seed gives the same authors. */
export const accountId = (number: number) => `acct_0${String(number + 1).padStart(25, '0')}`

const postsPerAuthor = 100

/** How many authors a database of this many posts has. */
export const authorsOf = (posts: number) => Math.max(1_000, Math.round(posts / postsPerAuthor))

export type SeedPlan = { posts: number; now: Date }

/** COPY lines by table. A listing's line ends before its number, which depends on all earlier posts. */
export type Batch = {
  posts: string
  search_entries: string
  post_signatures: string
  listings: { keys: string[]; lines: string[] }
}

export const batchSize = 1_000
export const postColumns =
  'id, account_id, kind, status, content, facets, created_at, decided_at, published_at, visible_until, listed'
export const entryColumns = 'post_id, published_at, visible_until, facets, language, words, pairs'
export const listingColumns = 'post_id, path, kind, published_at, ends_at, listed, number'

/** The posts of one batch, always the same, because the random numbers restart with each batch. */
export function makeBatch(plan: SeedPlan, number: number, material: Material): Batch {
  const random = randomFor(1, number)
  const first = number * batchSize
  const batch: Batch = { posts: '', search_entries: '', post_signatures: '', listings: { keys: [], lines: [] } }
  for (let index = first; index < Math.min(first + batchSize, plan.posts); index++) {
    const post = makePost(plan, index, random, material)
    if (index % batchSize === 0) assertAcceptable(post, plan.now)
    batch.posts += postLine(post)
    batch.search_entries += entryLine(post)
    batch.post_signatures += signatureLine(post, plan.now)
    addListings(batch.listings, post)
  }
  return batch
}

type Post = { id: string; author: string; kind: Kind; at: Date; content: object; visibleUntil: Date | null }

function makePost(plan: SeedPlan, index: number, random: Random, material: Material): Post {
  const { at, isRecent } = momentOf(plan, index, random)
  const kind = drawKind(random, isRecent)
  const content = writerOf(kind).write({ ...material, random, now: plan.now, language: drawLanguage(random) })
  const author = accountId(random.below(authorsOf(plan.posts)))
  return { id: idAt(at, random), author, kind, at, content, visibleUntil: kind.visibleUntil(content, at) }
}

const day = 86_400_000
const [oldestDays, recentDays] = [730, 25]

/** Ads are shown for thirty days, so all of them are recent; the other kinds were published evenly over two years. */
const [shortLived, staying] = [true, false].map((isShortLived) =>
  kinds.filter((kind) => Boolean(writerOf(kind).isShortLived) === isShortLived),
) as [Kind[], Kind[]]
const shortLivedShare = shortLived.reduce((sum, kind) => sum + writerOf(kind).share, 0)
const recentShare = shortLivedShare + ((1 - shortLivedShare) * recentDays) / oldestDays

function writerOf({ name }: Kind) {
  const writer = writers[name]
  assert(writer, `scripts/generation/seed/bodies.ts cannot write a post of the kind ${name} yet`)
  return writer
}

/** Every post is newer than the previous one. */
function momentOf({ posts, now }: SeedPlan, index: number, random: Random): { at: Date; isRecent: boolean } {
  const recent = Math.round(posts * recentShare)
  const old = posts - recent
  const isRecent = index >= old
  const [from, to, count, place] = isRecent
    ? [recentDays, 0, recent, index - old]
    : [oldestDays, recentDays, old, index]
  const part = (place + random.below(1_000) / 1_000) / count
  return { at: new Date(Math.floor(now.getTime() - (from - (from - to) * part) * day)), isRecent }
}

function drawKind(random: Random, isRecent: boolean): Kind {
  if (isRecent && random.chance(shortLivedShare / recentShare)) return random.pick(shortLived)
  let left = random.below(1_000_000) / 1_000_000
  for (const kind of staying) {
    left -= writerOf(kind).share / (1 - shortLivedShare)
    if (left < 0) return kind
  }
  return staying[0] as Kind
}

/** Nine of ten posts are in English. */
const drawLanguage = (random: Random): Language =>
  random.chance(0.9) ? 'en' : random.pick<Language>(['de', 'fr', 'es'])

const letters = '0123456789abcdefghjkmnpqrstvwxyz'

function idAt(at: Date, random: Random): string {
  let id = firstIdAt('post', at).slice(0, -16)
  for (let count = 0; count < 16; count++) id += letters.charAt(random.below(32))
  return id
}

/** Called only for some posts, because checking all of them would take longer than everything else. */
function assertAcceptable({ kind, content, visibleUntil }: Post, now: Date): void {
  const { data, error } = kind.body.safeParse(content)
  assert(!error, `a ${kind.name} would be rejected: ${error?.message}`)
  assert.deepEqual(data, content)
  assert(visibleUntil === null || visibleUntil > now)
}

function postLine({ id, author, kind, at, content, visibleUntil }: Post): string {
  const moment = at.toISOString()
  const facets = JSON.stringify(kind.facets(content))
  const columns = [id, author, kind.name, 'published', escaped(JSON.stringify(content)), escaped(facets)]
  return `${columns.join('\t')}\t${moment}\t${moment}\t${moment}\t${endOf(visibleUntil)}\tt\n`
}

function entryLine({ id, kind, at, content, visibleUntil }: Post): string {
  const { facets, language, words, pairs } = searchEntryOf(kind, content)
  const list = `{${facets.map((facet) => `"${facet}"`).join(',')}}`
  const found = [list, language ?? '\\N', escaped(words), `{${pairs.join(',')}}`]
  return `${id}\t${at.toISOString()}\t${endOf(visibleUntil)}\t${found.join('\t')}\n`
}

function addListings({ keys, lines }: Batch['listings'], { id, author, kind, at, content }: Post): void {
  const endsAt = kind.presentation.occasion?.(content).ends_at ?? '\\N'
  for (const path of new Set(listingPaths(kind, content, author))) {
    keys.push(`${kind.name} ${path}`)
    lines.push(`${id}\t${escaped(path)}\t${kind.name}\t${at.toISOString()}\t${endsAt}\tt`)
  }
}

const endOf = (visibleUntil: Date | null) => visibleUntil?.toISOString() ?? '\\N'

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n')
