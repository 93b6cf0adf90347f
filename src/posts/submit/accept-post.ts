import { sql } from 'kysely'
import type { TextPart } from '../../contract/text/text.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { firstJob, jobKey } from '../../jobs/moderation-lanes.ts'
import type { Kind } from '../../kinds/index.ts'
import { charge } from '../../ledger/charges.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { checkSignature, type SentSignature } from '../author-signature.ts'
import { type Signature, signatureOf } from '../duplicates/signature.ts'
import { assertReviewQuota } from '../review/review-quota.ts'
import { type ModerationEstimate, postWindows } from '../status/moderation-estimate.ts'
import { assertPassesPrefilter, assertTimely, standingLost } from './admission.ts'

export type NewPost = {
  id: string
  accountId: string
  kind: Kind
  body: object
  texts: readonly TextPart[]
  signature: Signature | null
  at: Date
}

/** A post with a new identifier. The body must be valid. */
export function newPost(kind: Kind, body: object, { accountId, at }: { accountId: string; at: Date }): NewPost {
  const texts = kind.texts(body)
  return { id: newId('post', at), accountId, kind, body, texts, signature: signatureOf(texts), at }
}

type Acceptance = {
  post: NewPost
  authorSignature: SentSignature | undefined
  /** The key that pays, and whose cap applies. */
  keyId: string
  priceMicros: number
  /** The state of the model, which selects the first moderation job. */
  state: ModerationEstimate['state']
  obeysTestWords: boolean
}

/** Checks, stores, queues and charges a post. If it is refused, the transaction must roll back. */
export async function acceptPost(tx: Transaction, acceptance: Acceptance): Promise<void> {
  const { post, authorSignature: sent, keyId, priceMicros, state, obeysTestWords } = acceptance
  const { id, accountId, kind, body, at } = post
  assertTimely(kind, body, at)
  const authorSignature = await checkSignature(tx, { accountId, kind, content: body, signature: sent })
  await assertPassesPrefilter(tx, { ...post, postId: id, obeysTestWords })
  await assertReviewQuota(tx, post)
  await insertPost(tx, post, authorSignature)
  const windows = postWindows(kind, body)
  const judging = { once: jobKey(id, 0), share: { account: accountId, windows } }
  await enqueue(tx, firstJob(windows, state), { post_id: id, edit: 0 }, judging)
  // Comes last, because from here to the commit, all other charges to this account wait.
  await charge(tx, { accountId, keyId, amountMicros: priceMicros, reason: 'post', subject: id, at })
}

/**
 * Stores the post and its signature in one statement that also checks the standing. It inserts nothing if the account
 * was banned in the meantime.
 */
async function insertPost(tx: Transaction, post: NewPost, authorSignature: Buffer | null) {
  const { id, accountId, kind, body, signature, at } = post
  const { words, bands, minhash } = signature ?? { words: null, bands: [], minhash: [] }
  const { rows } = await sql`
    with stored as (
      insert into posts (id, account_id, kind, status, content, facets, paid_links, author_signature, created_at)
      select ${id}, id, ${kind.name}, 'queued', ${JSON.stringify(body)}::jsonb, ${JSON.stringify(kind.facets(body))}::jsonb,
        ${kind.chargedLinks(body)}::text[], ${authorSignature}::bytea, ${at}
      from accounts where id = ${accountId} and standing = 'good'
      returning id, account_id, created_at
    ), signed as (
      insert into post_signatures (post_id, account_id, words, bands, minhash, created_at)
      select id, account_id, ${words}::integer, ${bands}::integer[], ${minhash}::integer[], created_at
      from stored where ${words}::integer is not null
    )
    select from stored`.execute(tx)
  if (rows.length !== 1) throw standingLost()
}
