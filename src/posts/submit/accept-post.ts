import type { TextPart } from '../../contract/text/text.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { firstJob, jobKey } from '../../jobs/moderation-lanes.ts'
import type { Kind } from '../../kinds/index.ts'
import { charge } from '../../ledger/charges.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { type Signature, signatureOf } from '../duplicates/signature.ts'
import { storeSignature } from '../duplicates/stored-signatures.ts'
import { type ModerationEstimate, postWindows } from '../status/moderation-estimate.ts'
import { assertAdmissible, assertGoodStanding, assertTimely } from './admission.ts'

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
  /** The key that pays, and whose cap applies. */
  keyId: string
  priceMicros: number
  /** The state of the model, which selects the first moderation job. */
  state: ModerationEstimate['state']
  obeysTestWords: boolean
}

/** Checks, stores, queues and charges a post: all or nothing, in the caller's transaction. */
export async function acceptPost(tx: Transaction, acceptance: Acceptance): Promise<void> {
  const { post, keyId, priceMicros, state, obeysTestWords } = acceptance
  const { id, accountId, kind, body, signature, at } = post
  assertTimely(kind, body, at)
  await assertAdmissible(tx, { ...post, postId: id, obeysTestWords })
  await assertGoodStanding(tx, accountId)
  await insertPost(tx, post)
  if (signature) await storeSignature(tx, { postId: id, accountId, signature, at })
  const windows = postWindows(kind, body)
  const judging = { once: jobKey(id, 0), share: { account: accountId, windows } }
  await enqueue(tx, firstJob(windows, state), { post_id: id, edit: 0 }, judging)
  // Comes last, because from here to the commit, all other charges to this account wait.
  await charge(tx, { accountId, keyId, amountMicros: priceMicros, reason: 'post', subject: id, at })
}

async function insertPost(tx: Transaction, { id, accountId, kind, body, at }: NewPost) {
  const row = {
    id,
    account_id: accountId,
    kind: kind.name,
    status: 'queued' as const,
    content: JSON.stringify(body),
    facets: JSON.stringify(kind.facets(body)),
    paid_links: kind.chargedLinks(body),
    created_at: at,
  }
  await tx.insertInto('posts').values(row).execute()
}
