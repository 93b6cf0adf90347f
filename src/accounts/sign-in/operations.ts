import { z } from 'zod'
import { defineOperation } from '../../contract/define-operation.ts'
import { accountId, timestamp } from '../../contract/fields.ts'
import { ownerSession } from '../../contract/limits.ts'
import type { Database } from '../../platform/database/database.ts'

const session = defineOperation({
  id: 'getOwnerSession',
  method: 'GET',
  path: '/v1/manage/session',
  access: 'owner',
  whenBanned: 'allowed',
  successStatus: 200,
  tag: 'Owner',
  summary: 'Read the owner’s session',
  description:
    'Returns the session’s account and when the session expires: 30 minutes after its last use, and at most 12 hours ' +
    'after it started.',
  output: z
    .strictObject({
      account_id: accountId,
      csrf_token: z.string().meta({ description: 'Send it in the X-CSRF-Token header together with the cookie.' }),
      expires_at: timestamp,
    })
    .meta({ component: 'OwnerSession' }),
  problems: [],
  examples: {
    output: {
      account_id: 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab',
      csrf_token: '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      expires_at: '2026-11-15T12:30:00.000Z',
    },
  },
  handle: async ({ db, owner }) => ({
    account_id: owner.accountId,
    csrf_token: owner.csrfToken,
    expires_at: (await readSessionEnd(db, owner.sessionId)).toISOString(),
  }),
})

/** The end of the idle timeout or of the maximum lifetime, whichever comes first. */
async function readSessionEnd(db: Database, id: string): Promise<Date> {
  const { created_at, last_seen_at } = await db
    .selectFrom('owner_sessions')
    .select(['created_at', 'last_seen_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { idleSeconds, wholeSeconds } = ownerSession
  return new Date(Math.min(last_seen_at.getTime() + idleSeconds * 1_000, created_at.getTime() + wholeSeconds * 1_000))
}

export const sessionOperations = [session]
