import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../../src/platform/identifiers.ts'
import { type SearchablePost, writeSearchEntries } from '../../../src/posts/public/search-entries.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { kindNamed } from '../../support/posts/create-post.ts'
import type { Grades } from './ndcg.ts'

/** The date of the corpus: its events are in the future, and its ads have not expired. */
const readAt = new Date('2026-11-15T12:00:00Z')

/** One line of `corpus/`: a post as an author would send it. */
type Entry = { id: string; kind: string; days_ago: number; body: object }

/** One line of `queries.jsonl`, judged by reading the corpus and never by the engine's results. */
export type Query = {
  q: string
  kind?: string
  topic?: string
  country?: string
  sort?: string
  /** Searched on the page, where the last word may be incomplete. */
  typed?: true
  /** What the query tests. */
  why: string
  judged: Grades
}

const linesOf = (file: string) =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

export const readQueries = (): Query[] => linesOf('queries.jsonl')

export const readEntries = (): Entry[] =>
  readdirSync(join(import.meta.dirname, 'corpus'))
    .sort()
    .flatMap((file) => linesOf(join('corpus', file)))

/** A query by name, with its filters. */
export const nameOf = ({ q, why: _why, judged: _judged, ...narrowed }: Query): string =>
  [q, ...Object.entries(narrowed).map(([name, value]) => `${name}=${value}`)].join(' ')

/** Adds the whole corpus to the lists at once, and sets the clock to its date. Returns which entry each post is. */
export async function publishCorpus(service: Service): Promise<ReadonlyMap<string, string>> {
  const { id: accountId } = await service.createAccount()
  service.clock.setOffset(readAt.getTime() - service.clock.now().getTime())
  const posts = readEntries().map(postOf)
  const rows = JSON.stringify(posts.map(rowOf))
  await service.asOwner(
    `insert into posts (id, account_id, kind, status, content, facets, created_at)
     select id, $2, kind, 'queued', content, facets, published_at
     from jsonb_to_recordset($1) as post (id text, kind text, content jsonb, facets jsonb, published_at timestamptz)`,
    [rows, accountId],
  )
  await service.asOwner(
    `update posts set status = 'published', listed = true, published_at = post.published_at, visible_until = post.visible_until
     from jsonb_to_recordset($1) as post (id text, published_at timestamptz, visible_until timestamptz)
     where posts.id = post.id`,
    [rows],
  )
  await service.asWorker((tx) => writeSearchEntries(tx, posts))
  return new Map(posts.map(({ id, name }) => [id, name]))
}

type Post = SearchablePost & { name: string }

function postOf({ id: name, kind: kindName, days_ago, body }: Entry, index: number): Post {
  const kind = kindNamed(kindName)
  const content = kind.body.parse(body)
  // No two at the same moment, so that the order is always the same.
  const publishedAt = new Date(readAt.getTime() - days_ago * 86_400_000 - index * 1_000)
  return {
    ...{ id: newId('post', publishedAt), name, kind, content, publishedAt },
    visibleUntil: kind.visibleUntil(content, publishedAt),
  }
}

const rowOf = ({ id, kind, content, publishedAt, visibleUntil }: Post) => ({
  ...{ id, kind: kind.name, content, facets: kind.facets(content) },
  published_at: publishedAt,
  visible_until: visibleUntil,
})
