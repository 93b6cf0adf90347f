import { sql } from 'kysely'
import type { KeyedCall } from '../../contract/call.ts'
import { allowances } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { secondsToMidnight } from '../../contract/time/utc-day.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { takeUse } from '../allowances.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { type DomainRecord, type DomainRefusal, describeDomain } from './domain-record.ts'
import { readDomainFile, refusalFor } from './read-domain-file.ts'

/**
 * Checks a domain and stores the result. A domain that fails does not replace another one that is verified, so a mistake
 * changes nothing that is public.
 */
export async function setDomain(call: KeyedCall, domain: string): Promise<DomainRecord> {
  const { db, clock, outbound } = call
  const { accountId } = call.caller
  await countCheck(db, domain, clock.now())
  const refusal = refusalFor(await readDomainFile(outbound, domain), accountId)
  const at = clock.now()
  const verified = await storeCheck(db, { accountId, domain, refusal, at })
  return describeDomain({ domain, isVerified: verified === domain, checkedAt: at, refusal })
}

async function countCheck(db: Database, domain: string, at: Date): Promise<void> {
  const { max, problem } = allowances['domain-checks-per-domain']
  if ((await takeUse(db, { allowance: 'domain-checks-per-domain', subject: domain, at }, max)) !== null) return
  throw new Problem(problem, `The daily limit of ${max} checks of this domain is reached.`, {
    headers: { 'retry-after': String(secondsToMidnight(at)) },
  })
}

type Check = {
  accountId: string
  domain: string
  refusal: DomainRefusal | null
  at: Date
  /** Stores nothing unless the domain is verified and was last checked at this time. */
  ifCheckedAt?: Date | null
}

/** A verified domain is lost by a check that fails this long after the first one: the second daily one. */
const lostAfterSeconds = 23 * 3_600

/** Stores a check of an account's domain, and lets its posts follow. Returns the domain that is verified now. */
export function storeCheck(db: Database, { accountId, domain, refusal, at, ifCheckedAt }: Check) {
  const lostIfSince = new Date(at.getTime() - lostAfterSeconds * 1_000)
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ before: string | null; after: string | null }>`
      with old as (
        select id, domain, verified_domain, domain_checked_at,
          case when domain = ${domain} then domain_failing_since end as failing_since
        from accounts where id = ${accountId} and standing <> 'closed' for no key update
      )
      update accounts set
        domain = ${domain}, domain_checked_at = ${at}, domain_refusal = ${refusal},
        domain_failing_since = case when ${refusal}::text is not null then coalesce(failing_since, ${at}) end,
        verified_domain = case
          when ${refusal}::text is null then ${domain}
          when failing_since <= ${lostIfSince} then null
          else old.verified_domain
        end
      from old where accounts.id = old.id
        and (${refusal}::text is null or coalesce(old.verified_domain, ${domain}) = ${domain})
        and (${ifCheckedAt ?? null}::timestamptz is null
          or old.verified_domain = ${domain} and old.domain_checked_at = ${ifCheckedAt ?? null})
      returning old.verified_domain as before, accounts.verified_domain as after`.execute(tx)
    const [changed] = rows
    if (changed && changed.before !== changed.after) await enqueueRefresh(tx, accountId)
    return changed?.after ?? null
  })
}

/** The columns of an account without a domain. */
const noDomain = {
  ...{ domain: null, verified_domain: null },
  ...{ domain_checked_at: null, domain_failing_since: null, domain_refusal: null },
} as const

/** Ends the domain of an account. Returns false if it has none. */
async function endDomain(tx: Transaction, accountId: string): Promise<boolean> {
  const ended = await tx
    .updateTable('accounts')
    .set(noDomain)
    .where('id', '=', accountId)
    .where('domain', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (ended) await enqueueRefresh(tx, accountId)
  return ended !== undefined
}

export const removeDomain = ({ db, caller }: KeyedCall): Promise<boolean> =>
  inTransaction(db, (tx) => endDomain(tx, caller.accountId))

/** Ends the domain in the owner's name. */
export function removeDomainAsOwner(db: Database, { accountId, at }: { accountId: string; at: Date }): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (await endDomain(tx, accountId)) await recordOwnerAction(tx, { accountId, action: 'owner.remove_domain', at })
  })
}

/** Makes what shows the posts of an account follow its domain. */
const enqueueRefresh = (tx: Transaction, accountId: string): Promise<void> =>
  enqueue(tx, 'refresh-author-pages', { account_id: accountId }, { once: accountId })
