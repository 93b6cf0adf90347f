import type { KeyedCall } from '../../contract/call.ts'
import { OperationAnswer } from '../../contract/define-operation.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { fieldErrorsOf } from '../../contract/problems/validation-errors.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { firstJob, jobKey } from '../../jobs/moderation-lanes.ts'
import type { Kind } from '../../kinds/index.ts'
import { charge } from '../../ledger/charges.ts'
import { paid } from '../../ledger/spending-limits.ts'
import { inTransaction, type Transaction, violatedConstraint } from '../../platform/database/database.ts'
import { signatureOf } from '../duplicates/signature.ts'
import { storeSignature } from '../duplicates/stored-signatures.ts'
import type { LockedPost } from '../status/change-status.ts'
import { type ModerationEstimate, postWindows } from '../status/moderation-estimate.ts'
import { lockOwnPost, readStatus } from '../status/read-post-status.ts'
import type { StatusRecord } from '../status/status-record.ts'
import { assertAdmissible, assertGoodStanding, assertTimely } from './admission.ts'
import { ledgerSubject, type Quote, quoteEdit } from './quote.ts'

type Change = {
  kind: Kind
  id: string
  changes: object
  moderation: ModerationEstimate
}

/**
 * Charges and queues an edit of a published post in one transaction. The published version stays up until the edit is
 * accepted.
 */
export async function editPost(call: KeyedCall, { kind, id, changes, moderation }: Change) {
  const { accountId } = call.caller
  let priceMicros = 0
  const work = async (tx: Transaction) => {
    const post = await lockOwnPost(tx, { id, accountId, kind: kind.name })
    const edit = await drawUp(tx, call, kind, post, changes)
    priceMicros = edit.quote.totalMicros
    const record = await readStatus(tx, post, { baseUrl: call.baseUrl, estimate: async () => moderation, at: edit.at })
    const answer = receipt(record, edit, moderation)
    await call.remember(tx, answer)
    await assertGoodStanding(tx, accountId)
    await acceptEdit(tx, call, kind, post, { ...edit, state: moderation.state })
    return new OperationAnswer(answer.body, answer)
  }
  return paid(
    call,
    () => priceMicros,
    () => inTransaction(call.db, work),
  )
}

/** The status record until the edit is decided. */
function receipt(record: StatusRecord, { quote, at }: Edit, moderation: ModerationEstimate) {
  return {
    status: 202,
    headers: { 'retry-after': String(moderation.retry_after_seconds) },
    body: {
      ...record,
      charged_micros: record.charged_micros + quote.totalMicros,
      edit: { status: 'queued' as const, submitted_at: at.toISOString(), moderation },
    },
  }
}

type Edit = { number: number; body: object; quote: Quote; errors: ReturnType<typeof fieldErrorsOf>; at: Date }

const nothingToPay: Quote = { postMicros: 0, linksMicros: 0, totalMicros: 0, links: [] }

/** The whole post with the changes applied. */
async function drawUp(tx: Transaction, call: KeyedCall, kind: Kind, post: LockedPost, changes: object): Promise<Edit> {
  const merged = Object.entries({ ...post.content, ...changes }).filter(([, value]) => value !== null)
  const input = Object.fromEntries(merged)
  const read = kind.body.safeParse(input)
  const last = await tx
    .selectFrom('post_edits')
    .select((query) => query.fn.max('number').as('number'))
    .where('post_id', '=', post.id)
    .executeTakeFirst()
  return {
    number: (last?.number ?? 0) + 1,
    body: read.data ?? {},
    quote: read.data ? quoteEdit(kind, read.data, post.paid_links) : nothingToPay,
    errors: read.success ? [] : fieldErrorsOf(read.error, { schema: kind.body, input }),
    at: call.clock.now(),
  }
}

type AcceptedEdit = Edit & { state: ModerationEstimate['state'] }

async function acceptEdit(tx: Transaction, call: KeyedCall, kind: Kind, post: LockedPost, edit: AcceptedEdit) {
  const { number, body, quote, at, state } = edit
  if (post.status !== 'published')
    throw new Problem('invalid_state', `Only a published post can be edited; this one is ${post.status}.`)
  if (edit.errors.length > 0)
    throw new Problem('validation_failed', 'The edited post would be invalid.', {
      members: { errors: edit.errors },
    })
  assertTimely(kind, body, at)
  const texts = kind.texts(body)
  const signature = signatureOf(texts)
  const whose = { postId: post.id, accountId: post.account_id, at }
  await assertAdmissible(tx, { ...whose, kind, texts, signature, obeysTestWords: call.obeysTestWords })
  await insertEdit(tx, kind, post.id, edit)
  if (signature) await storeSignature(tx, { ...whose, edit: number, signature })
  const windows = postWindows(kind, body)
  const judging = { once: jobKey(post.id, number), share: { account: post.account_id, windows } }
  await enqueue(tx, firstJob(windows, state), { post_id: post.id, edit: number }, judging)
  await charge(tx, {
    accountId: post.account_id,
    keyId: call.caller.keyId,
    amountMicros: quote.totalMicros,
    reason: 'edit',
    subject: ledgerSubject(post.id, number),
    at,
  })
}

async function insertEdit(tx: Transaction, kind: Kind, postId: string, edit: Edit) {
  const { number, body, quote, at } = edit
  const row = {
    post_id: postId,
    number,
    status: 'queued' as const,
    content: JSON.stringify(body),
    facets: JSON.stringify(kind.facets(body)),
    links: quote.links,
    submitted_at: at,
  }
  await tx
    .insertInto('post_edits')
    .values(row)
    .execute()
    .catch((error) => {
      if (violatedConstraint(error) !== 'one_edit_at_a_time') throw error
      throw new Problem('invalid_state', 'An earlier edit of this post is still undecided. Wait for its decision.', {
        cause: error,
      })
    })
}
