import { type Kind, kinds } from '../../src/kinds/index.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { writeSearchEntry } from '../../src/posts/search-entries.ts'
import type { Service } from './service.ts'

export const kindNamed = (name: string) => kinds.find((kind) => kind.name === name) as Kind

export type Listed = { kind: string; body: object; publishedAt: Date; accountId: string }

/** Puts a post into the lists and into search as if published at that time: no door publishes into the past. */
export async function stageListed(service: Service, { kind: name, body, publishedAt, accountId }: Listed) {
  const kind = kindNamed(name)
  const id = newId('post', publishedAt)
  const content = kind.body.parse(body)
  const visibleUntil = kind.visibleUntil(content, publishedAt)
  await service.asOwner(
    `insert into posts (id, account_id, kind, status, content, facets, created_at) values ($1, $2, $3, 'queued', $4, $5, $6)`,
    [id, accountId, name, JSON.stringify(content), JSON.stringify(kind.facets(content)), publishedAt],
  )
  await service.asOwner(
    "update posts set status = 'published', published_at = $2, visible_until = $3, listed = true where id = $1",
    [id, publishedAt, visibleUntil],
  )
  await service.asWorker((tx) => writeSearchEntry(tx, { kind, id, content, publishedAt, visibleUntil }))
  return id
}
