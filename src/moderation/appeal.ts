import { z } from 'zod'
import { defineOperation } from '../contract/define-operation.ts'
import { paragraphs } from '../contract/fields.ts'
import { Problem } from '../contract/problem.ts'
import type { Kind } from '../kinds/index.ts'
import type { KeyedCall } from '../platform/call.ts'
import { reasonFor } from '../policy/reasons.ts'
import type { Estimate } from '../posts/estimate.ts'
import { ownStatus } from '../posts/get-post.ts'
import type { StatusRecord } from '../posts/status-record.ts'
import { examplePostId, exampleStatus, postId, statusRecord } from '../posts/status-record.ts'

/** Asks a person to look at a refusal again. Banned accounts may: it is how a wrong ban ends. */
export const appealOperation = (kind: Kind, estimate: Estimate) =>
  defineOperation({
    id: 'appealPost',
    method: 'POST',
    path: '/v1/posts/{id}/appeal',
    access: 'key',
    whenBanned: 'allowed',
    successStatus: 202,
    tag: 'Posts',
    summary: 'Appeal a rejection or a removal',
    description:
      'Once a post. A person who did not decide before decides. When the appeal is upheld, the strike goes, the money is ' +
      'settled as the right decision would have been, and a removed post returns.',
    params: z.object({ id: postId }),
    body: z.strictObject({ message: paragraphs(1, 1_000).meta({ description: 'Why the decision is wrong.' }) }),
    output: statusRecord,
    problems: ['post_not_found', 'invalid_state'],
    examples: {
      params: { id: examplePostId },
      body: { message: 'The post quotes the ordinance itself; it threatens nobody.' },
      output: {
        ...exampleStatus(kind.name, kind.priceMicros * 10),
        status: 'rejected',
        rejection: {
          category: 'violence_threats',
          reason: reasonFor('violence_threats'),
          abusive: true,
          refunded: false,
          strike: true,
          appeal: { status: 'open', submitted_at: '2026-11-15T13:00:00.000Z' },
        },
      },
    },
    handle: async (call, { params, body }) => {
      const wanted = { kind, estimate, id: params.id }
      const { body: record } = await ownStatus(call, wanted)
      await recordAppeal(call, record as StatusRecord, body.message)
      return ownStatus(call, wanted)
    },
  })

async function recordAppeal({ db, clock, caller }: KeyedCall, record: StatusRecord, message: string): Promise<void> {
  const edit = await appealable(db, record)
  const recorded = await db
    .insertInto('appeals')
    .values({
      post_id: record.id,
      account_id: caller.accountId,
      edit,
      message,
      submitted_at: clock.now(),
    })
    .onConflict((conflict) => conflict.column('post_id').doNothing())
    .executeTakeFirst()
  if (recorded.numInsertedOrUpdatedRows !== 1n)
    throw new Problem('invalid_state', 'This post was appealed before; a post is appealed once.')
}

/** The number of what is appealed: 0 for the post, or its last edit. */
async function appealable(db: KeyedCall['db'], { id, status, edit }: StatusRecord): Promise<number> {
  if (status === 'rejected' || status === 'removed') return 0
  if (status === 'published' && edit?.status === 'rejected') {
    const last = await db
      .selectFrom('post_edits')
      .select((query) => query.fn.max('number').as('number'))
      .where('post_id', '=', id)
      .executeTakeFirstOrThrow()
    return last.number
  }
  throw new Problem('invalid_state', `Only a rejected or removed post can be appealed; this one is ${status}.`)
}
