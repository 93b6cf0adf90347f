import { sql } from 'kysely'
import { z } from 'zod'
import type { KeyedCall } from '../contract/call.ts'
import { accountId, accountUrl, micros, timestamp } from '../contract/fields.ts'
import { standingDeletionRequest } from './deletion/request-deletion.ts'
import { domainRecord, readDomainRecord } from './domain/domain-record.ts'
import { createOwnerLink } from './sign-in/owner-links.ts'
import { assessAccount, type Trust } from './trust/assess-trust.ts'
import { readTrust } from './trust/read-trust.ts'

export const accountRecord = z
  .strictObject({
    id: accountId,
    name: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    standing: z.enum(['good', 'banned', 'closed']),
    strikes: z.int().min(0).meta({ description: 'Three strikes ban the account.' }),
    trust: z
      .strictObject({
        level: z.enum(['new', 'trusted']).meta({
          description: 'Fewer posts from a trusted account need human review.',
        }),
        since: timestamp.meta({
          description:
            'When the account reached this level. For a new account: when it was created, or when one of its posts was last rejected or removed for abuse.',
        }),
        needs: z.array(z.string()).meta({ description: 'The requirements for trust that are not met yet.' }),
      })
      .meta({ description: 'Earned by having posts accepted. See /docs/posting/#trust.' }),
    balance_micros: micros.meta({ description: 'The prepaid balance. It is never negative.' }),
    owed_micros: micros.meta({
      description: 'Debt from penalties that exceeded the balance. The next top-up pays it off first.',
    }),
    card_on_file: z.boolean(),
    auto_recharge: z.strictObject({ enabled: z.boolean(), threshold_micros: micros, amount_micros: micros }),
    domain: domainRecord.nullable().meta({ description: 'Null until PUT /v1/account/domain.' }),
    deletion: z.strictObject({ requested_at: timestamp }).nullable(),
    keys: z.int().meta({ description: 'The number of active API keys, at most 20.' }),
    created_at: timestamp,
    account_url: accountUrl,
  })
  .meta({ component: 'Account' })

const exampleCreatedAt = '2026-11-15T12:00:00.000Z'

/** The trust of an account three days after its creation, with two accepted posts. */
const exampleTrust = assessAccount(
  {
    ...{ standing: 'good', strikes: 0, emailVerifiedAt: null, lastAbuseAt: null },
    createdAt: new Date(exampleCreatedAt),
    acceptedAt: [new Date('2026-11-15T12:05:00.000Z'), new Date('2026-11-16T09:00:00.000Z')],
  },
  new Date('2026-11-18T12:05:00.000Z'),
)

export const exampleAccount: z.input<typeof accountRecord> = {
  id: 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab',
  name: 'Harbour Notices',
  email: 'owner@example.com',
  email_verified: false,
  standing: 'good',
  strikes: 0,
  trust: trustOf(exampleTrust),
  balance_micros: 0,
  owed_micros: 0,
  card_on_file: false,
  auto_recharge: { enabled: false, threshold_micros: 1_000_000, amount_micros: 10_000_000 },
  domain: null,
  deletion: null,
  keys: 1,
  created_at: exampleCreatedAt,
  account_url: 'https://account.broadside.example/o/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
}

/** The caller's account, with a new link to the owner page. */
export async function readAccount({
  db,
  clock,
  caller,
  accountPageUrl,
}: KeyedCall): Promise<z.input<typeof accountRecord>> {
  const at = clock.now()
  const row = await db
    .selectFrom('accounts')
    .innerJoin('balances', 'balances.account_id', 'accounts.id')
    .select(['accounts.id', 'name', 'email', 'email_verified_at', 'standing', 'strikes', 'card_on_file', 'created_at'])
    .select(['auto_recharge_enabled', 'auto_recharge_threshold_micros', 'auto_recharge_amount_micros'])
    .select(['domain', 'verified_domain', 'domain_checked_at', 'domain_refusal'])
    .select(['deletion_requested_at', 'prepaid_micros', 'owed_micros'])
    .select(
      sql<number>`(select count(*) from api_keys where account_id = accounts.id and revoked_at is null)`.as('keys'),
    )
    .where('accounts.id', '=', caller.accountId)
    .executeTakeFirstOrThrow()
  const deletion = standingDeletionRequest(row.deletion_requested_at, at)
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    email_verified: row.email_verified_at !== null,
    standing: row.standing,
    strikes: row.strikes,
    trust: trustOf(await readTrust(db, { accountId: row.id, at })),
    balance_micros: row.prepaid_micros,
    owed_micros: row.owed_micros,
    card_on_file: row.card_on_file,
    auto_recharge: {
      enabled: row.auto_recharge_enabled,
      threshold_micros: row.auto_recharge_threshold_micros,
      amount_micros: row.auto_recharge_amount_micros,
    },
    domain: readDomainRecord(row),
    deletion: deletion && { requested_at: deletion.toISOString() },
    keys: row.keys,
    created_at: row.created_at.toISOString(),
    account_url: await createOwnerLink(db, { accountId: row.id, accountPageUrl, at }),
  }
}

function trustOf({ level, since, needs }: Trust) {
  return { level, since: since.toISOString(), needs }
}
