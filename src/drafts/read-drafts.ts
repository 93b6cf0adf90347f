import type { KeyedCall } from '../contract/call.ts'
import { describeWithText, draftColumns, draftNotFound } from './draft-record.ts'
import type { DraftState } from './draft-states.ts'

/** One draft of the caller's account. */
export async function readDraft({ db, caller }: KeyedCall, id: string) {
  const row = await db
    .selectFrom('drafts')
    .select(draftColumns)
    .where('id', '=', id)
    .where('account_id', '=', caller.accountId)
    .executeTakeFirst()
  if (!row) throw draftNotFound()
  return describeWithText(row)
}

type Query = { state?: DraftState | undefined; limit: number; cursor?: string | undefined }

/** One page of the account's drafts on all sites, newest first. */
export async function listDrafts({ db, caller }: KeyedCall, { state, limit, cursor }: Query) {
  const rows = await db
    .selectFrom('drafts')
    .select(draftColumns)
    .where('account_id', '=', caller.accountId)
    .$if(state !== undefined, (query) => query.where('state', '=', state as DraftState))
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return {
    data: shown.map(describeWithText),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    content_trust: 'untrusted-user-content' as const,
  }
}
