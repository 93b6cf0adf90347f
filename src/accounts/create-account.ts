import type { Call } from '../contract/call.ts'
import { openBalance } from '../ledger/balance.ts'
import { inTransaction } from '../platform/database/database.ts'
import { newId } from '../platform/identifiers.ts'
import { policy } from '../policy/policy.ts'
import { findRefusal, refusedBy } from '../policy/prefilter/prefilter.ts'
import { hashApiKey, newApiKey } from './keys/api-key.ts'
import { isReservedName } from './reserved-names.ts'
import { createOwnerLink } from './sign-in/owner-links.ts'

/** Creates an account with its first key and its balance in one transaction. Only the response contains the key. */
export async function createAccount(call: Call, { name, email }: { name: string; email: string }) {
  assertNamePasses(call, name)
  const at = call.clock.now()
  const id = newId('acct', at)
  const apiKey = newApiKey()
  const accountUrl = await inTransaction(call.db, async (tx) => {
    await tx
      .insertInto('accounts')
      .values({ id, name, email, policy_version: policy.version, created_at: at })
      .execute()
    await openBalance(tx, id)
    await tx
      .insertInto('api_keys')
      .values({
        id: newId('key', at),
        account_id: id,
        name: 'first key',
        hash: hashApiKey(apiKey),
        last4: apiKey.slice(-4),
        created_at: at,
      })
      .execute()
    return createOwnerLink(tx, { accountId: id, accountPageUrl: call.accountPageUrl, at })
  })
  return { id, apiKey, accountUrl }
}

/** The name appears on every post, so it must pass the same rules, except those about quality. */
export function assertNamePasses({ obeysTestWords }: Pick<Call, 'obeysTestWords'>, name: string): void {
  if (isReservedName(name)) throw refusedBy({ category: 'impersonation', reason: reservedReason })
  const finding = findRefusal([{ field: 'name', text: name }], { obeysTestWords, asksForQuality: false })
  if (finding) throw refusedBy(finding)
}

const reservedReason =
  '`name` suggests that the posts come from Broadside or its staff, or are verified. Choose a name that says who or what is posting.'
