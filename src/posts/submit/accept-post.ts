import type { TextPart } from '../../contract/text/text.ts'
import { enqueueStatement } from '../../jobs/enqueue.ts'
import { firstJob, jobKey } from '../../jobs/moderation-lanes.ts'
import type { Kind } from '../../kinds/index.ts'
import { chargeStatement } from '../../ledger/charges.ts'
import {
  type Database,
  type JointStatement,
  missingColumn,
  runTogether,
  type Transaction,
} from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { type Signature, signatureOf } from '../duplicates/signature.ts'
import { type ModerationEstimate, postWindows } from '../status/moderation-estimate.ts'
import { assertAdmissible, assertTimely, standingLost } from './admission.ts'

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

/**
 * Checks, stores, queues and charges a post: all or nothing, in the transaction if there is one. `first` runs before the
 * changes.
 */
export async function acceptPost(
  db: Database | Transaction,
  acceptance: Acceptance,
  first: readonly JointStatement[] = [],
): Promise<void> {
  const { post, keyId, priceMicros, state, obeysTestWords } = acceptance
  const { id, accountId, kind, body, at } = post
  assertTimely(kind, body, at)
  await assertAdmissible(db, { ...post, postId: id, obeysTestWords })
  const windows = postWindows(kind, body)
  const judging = { once: jobKey(id, 0), share: { account: accountId, windows } }
  await runTogether(db, [
    ...first,
    insertion(post),
    enqueueStatement(firstJob(windows, state), { post_id: id, edit: 0 }, judging),
    // Comes last, because from here to the commit, all other charges to this account wait.
    chargeStatement({ accountId, keyId, amountMicros: priceMicros, reason: 'post', subject: id, at }),
  ])
}

/**
 * Stores the post and its signature in one statement that also checks the standing. It fails if the account was banned
 * in the meantime: a post needs an account.
 */
function insertion(post: NewPost): JointStatement {
  const { id, accountId, kind, body, signature, at } = post
  const { words, bands, minhash } = signature ?? { words: null, bands: [], minhash: [] }
  const [content, facets] = [JSON.stringify(body), JSON.stringify(kind.facets(body))]
  return {
    text: `
      with stored as (
        insert into posts (id, account_id, kind, status, content, facets, paid_links, created_at)
        values ($1, (select id from accounts where id = $2 and standing = 'good'), $3, 'queued', $4, $5, $6, $7)
        returning id, account_id, created_at
      )
      insert into post_signatures (post_id, account_id, words, bands, minhash, created_at)
      select id, account_id, $8::integer, $9::integer[], $10::integer[], created_at
      from stored where $8::integer is not null`,
    values: [id, accountId, kind.name, content, facets, kind.chargedLinks(body), at, words, bands, minhash],
    explain: (error) => (missingColumn(error) === 'posts.account_id' ? standingLost() : error),
  }
}
