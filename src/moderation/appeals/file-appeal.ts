import { z } from 'zod'
import { defineOperation } from '../../contract/define-operation.ts'
import { paragraphs } from '../../contract/fields.ts'
import { Problem } from '../../contract/problems/problem.ts'
import type { Kind } from '../../kinds/index.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { ownStatus } from '../../posts/get-post.ts'
import type { Estimate } from '../../posts/status/moderation-estimate.ts'
import { lockOwnPost } from '../../posts/status/read-post-status.ts'
import { decisionsAbout, refusalsThatStand, refusalToAppeal } from '../../posts/status/refusals.ts'
import { describeRefusal } from '../../posts/status/statement-of-reasons.ts'
import { examplePostId, exampleStatus, postId, statusRecord } from '../../posts/status/status-record.ts'

/** This also applies if the post was removed, restored by an appeal, and removed again. */
export const appealRule = 'You can appeal a post once, and each of its rejected edits once.'

export const appealMessage = paragraphs(1, 1_000).meta({ description: 'Why the decision is wrong.' })

/**
 * Asks a person to review a rejection or removal. Banned accounts can appeal too, because an upheld appeal can end a
 * wrong ban.
 */
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
      `${appealRule} A person decides. If the appeal is upheld, the strike is removed, ` +
      'the charge is corrected, and a removed post is published again. If a post is restored after an appeal and then ' +
      'removed again, you cannot appeal the second removal.',
    params: z.object({ id: postId }),
    body: z.strictObject({ message: appealMessage }),
    output: statusRecord,
    problems: ['post_not_found', 'invalid_state'],
    examples: {
      params: { id: examplePostId },
      body: { message: 'The post quotes the ordinance itself; it threatens nobody.' },
      output: {
        ...exampleStatus(kind.name, kind.priceMicros * 10),
        status: 'rejected',
        rejection: {
          ...describeRefusal({
            baseUrl: `https://${kind.site.slug}.broadside.example`,
            postId: examplePostId,
            category: 'violence_threats',
            automated: true,
            refunded: false,
            strike: true,
            canAppeal: false,
          }),
          appeal: { status: 'open', submitted_at: '2026-11-15T13:00:00.000Z' },
        },
      },
    },
    handle: async (call, { params, body }) => {
      const { db, clock, caller } = call
      const appeal = { kind: kind.name, id: params.id, message: body.message, accountId: caller.accountId }
      await inTransaction(db, (tx) => fileAppeal(tx, { ...appeal, at: clock.now() }))
      return ownStatus(call, { kind, estimate, id: params.id })
    },
  })

type Appeal = { kind: string; id: string; message: string; accountId: string; at: Date }

/** Locks the post, so that an appeal sent while the post is being deleted does not outlive it. */
export async function fileAppeal(tx: Transaction, { kind, id, message, accountId, at }: Appeal): Promise<void> {
  const post = await lockOwnPost(tx, { id, accountId, kind })
  const appeals = await tx.selectFrom('appeals').select('edit').where('post_id', '=', id).execute()
  const newestFirst = await decisionsAbout(tx, id)
  const refusal = refusalToAppeal({ status: post.status, newestFirst, appeals })
  if (!refusal) {
    const wasAppealed = post.status !== 'deleted' && refusalsThatStand(newestFirst).length > 0
    const why = `There is no decision to appeal: the post is ${post.status}.`
    throw new Problem('invalid_state', wasAppealed ? `${appealRule} You have already appealed this decision.` : why)
  }
  await tx
    .insertInto('appeals')
    .values({ post_id: id, edit: refusal.edit, account_id: accountId, message, submitted_at: at })
    .execute()
}
