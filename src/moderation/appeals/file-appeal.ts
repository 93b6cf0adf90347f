import { z } from 'zod'
import type { DecisionOutcome } from '../../../generated/database-types.ts'
import { takeUse } from '../../accounts/allowances.ts'
import { readTrust } from '../../accounts/trust/read-trust.ts'
import { defineOperation } from '../../contract/define-operation.ts'
import { paragraphs } from '../../contract/fields.ts'
import { allowances } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { secondsToMidnight } from '../../contract/time/utc-day.ts'
import type { Kind } from '../../kinds/index.ts'
import { keptFee } from '../../ledger/charges.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { ownStatus } from '../../posts/get-post.ts'
import { withOtherSite } from '../../posts/public/find-post-kind.ts'
import type { Estimate } from '../../posts/status/moderation-estimate.ts'
import { lockOwnPost } from '../../posts/status/read-post-status.ts'
import { decisionsAbout, refusalsThatStand, refusalToAppeal } from '../../posts/status/refusals.ts'
import { describeRefusal } from '../../posts/status/statement-of-reasons.ts'
import { examplePostId, exampleStatus, postId, statusRecord } from '../../posts/status/status-record.ts'
import { ledgerSubject } from '../../posts/submit/quote.ts'

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
    scopes: ['publish'],
    whenBanned: 'allowed',
    successStatus: 202,
    tag: 'Posts',
    summary: 'Appeal a rejection or a removal',
    description:
      `${appealRule} A person decides. If the appeal is upheld, the strike is removed, ` +
      'the charge is corrected, and a removed post is published again. If a post is restored after an appeal and then ' +
      'removed again, you cannot appeal the second removal. Limits per UTC day: ' +
      `${allowances['appeals-per-new-account'].max} appeals until the account is trusted, and ` +
      `${allowances['free-appeals-per-account'].max} appeal of a rejection that was refunded in full.`,
    params: z.object({ id: postId }),
    body: z.strictObject({ message: appealMessage }),
    output: statusRecord,
    problems: ['post_not_found', 'invalid_state', 'rate_limited'],
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
      await withOtherSite(call, params.id, () =>
        inTransaction(db, (tx) => fileAppeal(tx, { ...appeal, at: clock.now() })),
      )
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
  await countAppeal(tx, { accountId, subject: ledgerSubject(id, refusal.edit), outcome: refusal.outcome, at })
  await tx
    .insertInto('appeals')
    .values({ post_id: id, edit: refusal.edit, account_id: accountId, message, submitted_at: at })
    .execute()
}

type Counted = { accountId: string; subject: string; outcome: DecisionOutcome; at: Date }

/** Counts an appeal toward the daily limits, in the transaction that files it. */
async function countAppeal(tx: Transaction, { accountId, subject, outcome, at }: Counted): Promise<void> {
  const isFree = outcome === 'low_quality' && (await keptFee(tx, { accountId, subject })) === 0
  if (isFree) await countFor(tx, 'free-appeals-per-account', accountId, at)
  const { level } = await readTrust(tx, { accountId, at })
  if (level !== 'trusted') await countFor(tx, 'appeals-per-new-account', accountId, at)
}

const refusals = {
  'free-appeals-per-account':
    'This decision cost nothing: the whole fee was refunded. You can appeal one such decision per UTC day.',
  'appeals-per-new-account': 'The daily limit for appeals of accounts that are not trusted yet has been reached.',
} as const

async function countFor(tx: Transaction, allowance: keyof typeof refusals, subject: string, at: Date): Promise<void> {
  const { max, problem } = allowances[allowance]
  if ((await takeUse(tx, { allowance, subject, at }, max)) !== null) return
  throw new Problem(problem, refusals[allowance], { headers: { 'retry-after': String(secondsToMidnight(at)) } })
}
