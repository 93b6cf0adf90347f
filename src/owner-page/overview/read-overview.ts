import { sql } from 'kysely'
import { standingDeletionRequest } from '../../accounts/deletion/request-deletion.ts'
import { readTrust } from '../../accounts/trust/read-trust.ts'
import { readBalance, readDebtsElsewhere } from '../../ledger/balance.ts'
import type { Database } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/identifiers.ts'

/** A payment started longer ago will probably not complete. */
const begunRecentlyMs = 3_600_000

export type Overview = Awaited<ReturnType<typeof readOverview>>

/** The account's state, and everything that needs the owner's attention. */
export async function readOverview(db: Database, accountId: string, at: Date) {
  const account = await db
    .selectFrom('accounts')
    .select(['created_at', 'policy_version', 'standing', 'banned_with', 'strikes', 'card_on_file'])
    .select(['deletion_requested_at', 'auto_recharge_enabled'])
    .select(['auto_recharge_amount_micros', 'recharge_failures', 'recharge_failed_at'])
    .select(
      sql<number>`(select count(*) from api_keys where account_id = accounts.id and revoked_at is null)`.as('keys'),
    )
    .select(
      sql<number>`(select count(*) from webhooks where account_id = accounts.id and deleted_at is null)`.as('webhooks'),
    )
    .select(
      sql<number>`(
        select count(*) from drafts
        where account_id = accounts.id and state = 'awaiting_approval' and expires_at > ${at}
      )`.as('drafts'),
    )
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const begun = await db
    .selectFrom('payments')
    .select(['id', 'amount_micros', 'created_at', 'cause'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'started')
    .where('id', '>=', firstIdAt('pay', new Date(at.getTime() - begunRecentlyMs)))
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return {
    ...account,
    ...(await readBalance(db, accountId)),
    debtsElsewhere: await readDebtsElsewhere(db, accountId),
    deletionRequestedAt: standingDeletionRequest(account.deletion_requested_at, at),
    begunPayment: begun ?? null,
    trust: await readTrust(db, { accountId, at }),
  }
}
