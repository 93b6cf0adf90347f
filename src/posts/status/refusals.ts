import type { DecisionOutcome, PostStatus } from '../../../generated/database-types.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'

type Decided = { edit: number; outcome: DecisionOutcome }

export const isRefusal = ({ outcome }: Pick<Decided, 'outcome'>) =>
  outcome === 'low_quality' || outcome === 'abuse' || outcome === 'remove'

/** The decisions on a post (edit 0) and its edits, newest first. */
export const decisionsAbout = (db: Database | Transaction, postId: string) =>
  db
    .selectFrom('moderation_decisions')
    .select(['edit', 'outcome', 'category', 'actor'])
    .where('post_id', '=', postId)
    .orderBy('id', 'desc')
    .execute()

/**
 * The rejections and removals of a post (edit 0) and its edits that were not reversed, in the order of the given
 * decisions.
 */
export function refusalsThatStand<Decision extends Decided>(newestFirst: readonly Decision[]): Decision[] {
  const final = newestFirst.filter(({ outcome }) => outcome !== 'review')
  const last = [...Map.groupBy(final, ({ edit }) => edit).values()].flatMap((own) => own.slice(0, 1))
  return last.filter(isRefusal)
}

type Appealing<Decision> = {
  status: PostStatus
  newestFirst: readonly Decision[]
  appeals: readonly { edit: number }[]
}

/**
 * The decision that an appeal would be against: the newest rejection or removal that is in effect and was not appealed
 * before.
 */
export function refusalToAppeal<Decision extends Decided>({ status, newestFirst, appeals }: Appealing<Decision>) {
  if (status === 'deleted') return undefined
  return refusalsThatStand(newestFirst).find(({ edit }) => appeals.every((appeal) => appeal.edit !== edit))
}

type Appeal = { edit: number; submitted_at: Date }

/**
 * Whether the appeal is against this rejection or removal. A restored post can be removed again; the appeal is then
 * older than the removal.
 */
export const isAgainst = (appeal: Appeal, refusal: { edit: number; decided_at: Date }) =>
  appeal.edit === refusal.edit && appeal.submitted_at >= refusal.decided_at
