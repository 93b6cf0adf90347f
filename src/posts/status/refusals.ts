import type { Database, Transaction } from '../../platform/database/database.ts'
import type { DecisionOutcome, PostStatus } from '../../platform/database/database-types.ts'

type Decided = { edit: number; outcome: DecisionOutcome }

export const isRefusal = ({ outcome }: Pick<Decided, 'outcome'>) =>
  outcome === 'low_quality' || outcome === 'abuse' || outcome === 'remove'

/** What was decided about a post (edit 0) and its edits, the newest first. */
export const decisionsAbout = (db: Database | Transaction, postId: string) =>
  db
    .selectFrom('moderation_decisions')
    .select(['edit', 'outcome', 'category', 'actor'])
    .where('post_id', '=', postId)
    .orderBy('id', 'desc')
    .execute()

/** Refusals of a post (edit 0) and of its edits that were not taken back, in the order of the decisions given. */
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

/** What an appeal would be about: the newest refusal that stands, of what was not appealed before. */
export function refusalToAppeal<Decision extends Decided>({ status, newestFirst, appeals }: Appealing<Decision>) {
  if (status === 'deleted') return undefined
  return refusalsThatStand(newestFirst).find(({ edit }) => appeals.every((appeal) => appeal.edit !== edit))
}

type Appeal = { edit: number; submitted_at: Date }

/** Whether an appeal was filed against this refusal: a post that returned can be removed again, and the appeal is older then. */
export const isAgainst = (appeal: Appeal, refusal: { edit: number; decided_at: Date }) =>
  appeal.edit === refusal.edit && appeal.submitted_at >= refusal.decided_at
