import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { EventType } from '../../contract/events.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Kind } from '../../kinds/index.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { deleteSignaturesOf, settleSignatures } from '../duplicates/stored-signatures.ts'
import { recordEvent } from '../events.ts'
import { writeSearchEntry } from '../public/search-entries.ts'
import { signPost } from '../public/sign-post.ts'
import { postUrl, type Sites, siteOf } from '../sites.ts'
import { type EditStatus, editMoves, type PostStatus, postMoves, undecided } from './lifecycle.ts'
import { deletePublishedSubjects, recordPublishedSubjects } from './published-before.ts'
import { deleteWithdrawal, recordWithdrawal } from './withdrawals.ts'

export type LockedPost = {
  id: string
  account_id: string
  kind: string
  status: PostStatus
  content: object | null
  paid_links: string[]
  created_at: Date
  decided_at: Date | null
  published_at: Date | null
  edited_at: Date | null
}

/** Reads a post and locks it until the transaction ends; outside a transaction, waits for other locks. */
export async function lockPost(tx: Database, id: string): Promise<LockedPost | undefined> {
  const { rows } = await sql<LockedPost>`
    select id, account_id, kind, status, content, paid_links, created_at, decided_at, published_at, edited_at
    from lock_post(${id})`.execute(tx)
  return rows[0]
}

/** Event data in addition to the post's facts. Fixed texts and codes only: events contain no user text. */
export type EventDetails = { rejection?: object; removal?: object; review?: object; edit?: true }
export type StatusChange<Status> = { post: LockedPost; to: Status; told: EventDetails; at: Date; sites: Sites }

const announced: Partial<Record<PostStatus | EditStatus, EventType>> = {
  published: 'post.published',
  accepted: 'post.published',
  rejected: 'post.rejected',
  review: 'post.review',
  removed: 'post.removed',
}

/**
 * The only function with which a decision changes a status; `markDeleted` below handles the author's deletion. The post
 * must be locked. A transition that the table does not allow is a bug.
 */
export async function changeStatus(
  tx: Transaction,
  { post, to, told, at, sites }: StatusChange<PostStatus>,
): Promise<void> {
  assert(postMoves[post.status].includes(to), `a post cannot move from ${post.status} to ${to}`)
  const { kind } = siteOf(sites, post.kind)
  const publishedAt = post.published_at ?? at
  const content = post.content ?? {}
  const visibleUntil = to === 'published' ? kind.visibleUntil(content, publishedAt) : null
  const listed = to === 'published' && (visibleUntil === null || visibleUntil > at)
  await tx
    .updateTable('posts')
    .set({ status: to, listed })
    .$if(to !== 'review', (query) => query.set({ decided_at: at }))
    .$if(to === 'published', (query) => query.set({ published_at: publishedAt, visible_until: visibleUntil }))
    .where('id', '=', post.id)
    .execute()
  if (listed) await writeSearchEntry(tx, { kind, id: post.id, content, publishedAt, visibleUntil })
  if (to === 'published') {
    await signPost(tx, siteOf(sites, post.kind), post.id, at)
    await deleteWithdrawal(tx, post.id)
    await recordPublishedSubjects(tx, published(kind, post, content))
  }
  if (to === 'removed') {
    await recordWithdrawal(tx, kind, post, at)
    await deletePublishedSubjects(tx, post.id)
  }
  if (to === 'published' || to === 'removed') await enqueuePostPages(tx, post.id)
  await announce(tx, { post, to, told, at, sites }, to)
}

const published = (kind: Kind, post: LockedPost, content: object) => ({
  ...{ postId: post.id, accountId: post.account_id, kind: post.kind },
  texts: kind.texts(content),
})

/** Makes a worker rewrite the pages that show the post, with the post's state at that time. */
export const enqueuePostPages = (tx: Transaction, postId: string) =>
  enqueue(tx, 'publish-post', { post_id: postId }, { once: postId })

type EditChange = StatusChange<EditStatus> & { number: number }

/**
 * Changes the status of an edit. An accepted edit replaces the post's content. A rejected edit loses its signature but
 * keeps its text, which a person may still have to judge.
 */
export async function changeEditStatus(tx: Transaction, change: EditChange): Promise<void> {
  const { post, number, to, at } = change
  const edit = await tx
    .selectFrom('post_edits')
    .select(['status', 'content', 'facets', 'links'])
    .where('post_id', '=', post.id)
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  assert(editMoves[edit.status].includes(to), `an edit cannot move from ${edit.status} to ${to}`)
  if (to === 'accepted') await replaceContent(tx, change, edit as EditRow)
  const keepsText = to === 'review' || to === 'rejected'
  await tx
    .updateTable('post_edits')
    .set({ status: to, ...(to !== 'review' && { decided_at: at }), ...(!keepsText && erasedEdit) })
    .where('post_id', '=', post.id)
    .where('number', '=', number)
    .execute()
  if (to !== 'review') await settleSignatures(tx, post.id, number, to === 'accepted')
  if (to === 'accepted') await enqueuePostPages(tx, post.id)
  await announce(tx, { ...change, told: { ...change.told, edit: true } }, post.status)
}

const erasedEdit = { content: null, facets: '{}', links: [] as string[] }

/** Deletes a post for its author: erases the text and leaves a tombstone. No event is emitted. */
export async function markDeleted(tx: Transaction, kind: Kind, post: LockedPost, at: Date): Promise<void> {
  assert(postMoves[post.status].includes('deleted'), `a post cannot move from ${post.status} to deleted`)
  await tx
    .updateTable('posts')
    .set({ status: 'deleted', content: null, facets: '{}', paid_links: [], listed: false })
    .where('id', '=', post.id)
    .execute()
  await eraseEdits(tx, post.id)
  await deleteSignaturesOf(tx, post.id)
  if (!post.published_at) return
  await recordWithdrawal(tx, kind, post, at)
  await enqueuePostPages(tx, post.id)
}

/** Cancels a pending edit, and erases the texts of rejected edits. */
export async function eraseEdits(tx: Transaction, postId: string): Promise<void> {
  await cancelOpenEdit(tx, postId)
  await tx
    .updateTable('post_edits')
    .set(erasedEdit)
    .where('post_id', '=', postId)
    .where('status', '=', 'rejected')
    .where('content', 'is not', null)
    .execute()
}

/** Cancels a pending edit when its post is removed or deleted. Returns its number, if there was one. */
export async function cancelOpenEdit(tx: Transaction, postId: string): Promise<number | undefined> {
  const cancelled = await tx
    .updateTable('post_edits')
    .set({ status: 'cancelled', ...erasedEdit })
    .where('post_id', '=', postId)
    .where('status', 'in', undecided)
    .returning('number')
    .executeTakeFirst()
  if (cancelled) await settleSignatures(tx, postId, cancelled.number, false)
  return cancelled?.number
}

type EditRow = { content: object; facets: object; links: string[] }

async function replaceContent(tx: Transaction, { post, at, sites }: EditChange, edit: EditRow) {
  const { content, facets, links } = edit
  const { kind } = siteOf(sites, post.kind)
  const publishedAt = post.published_at ?? at
  const visibleUntil = kind.visibleUntil(content, publishedAt)
  const listed = visibleUntil === null || visibleUntil > at
  await tx
    .updateTable('posts')
    .set((eb) => ({
      content: JSON.stringify(content),
      revision: eb('revision', '+', 1),
      facets: JSON.stringify(facets),
      paid_links: [...post.paid_links, ...links],
      edited_at: at,
      visible_until: visibleUntil,
      listed,
    }))
    .where('id', '=', post.id)
    .execute()
  await signPost(tx, siteOf(sites, post.kind), post.id, at)
  await recordPublishedSubjects(tx, published(kind, post, content))
  if (listed) await writeSearchEntry(tx, { kind, id: post.id, content, publishedAt, visibleUntil })
}

async function announce(
  tx: Transaction,
  { post, to, told, at, sites }: StatusChange<PostStatus | EditStatus>,
  status: PostStatus,
): Promise<void> {
  const type = announced[to]
  if (!type) return
  const { baseUrl } = siteOf(sites, post.kind)
  const url = status === 'published' ? { url: postUrl(baseUrl, post.id) } : {}
  const data = { id: post.id, kind: post.kind, status, ...url, ...told }
  await recordEvent(tx, { type, accountId: post.account_id, postId: post.id, data, at })
}
