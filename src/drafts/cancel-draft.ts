import type { KeyedCall } from '../contract/call.ts'
import { Problem } from '../contract/problems/problem.ts'
import { openStates } from './draft-states.ts'
import { readDraft } from './read-drafts.ts'

/** Withdraws an open draft and erases its text. A draft that has ended without a post stays as it is. */
export async function cancelDraft(call: KeyedCall, id: string) {
  const { db, caller, clock } = call
  await db
    .updateTable('drafts')
    .set({ state: 'cancelled', content: null, decided_at: clock.now() })
    .where('id', '=', id)
    .where('account_id', '=', caller.accountId)
    .where('state', 'in', openStates)
    .execute()
  const draft = await readDraft(call, id)
  if (draft.state === 'submitted')
    throw new Problem('invalid_state', `The draft was already submitted as ${draft.post_id}. You can delete that post.`)
  return draft
}
