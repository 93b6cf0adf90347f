import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { storeCheck } from './change-domain.ts'
import { type DomainFile, type FileReader, readDomainFile, refusalFor } from './read-domain-file.ts'

/** The job runs every hour, so each domain is checked once a day. */
const recheckSeconds = 23 * 3_600

/** Domains of one run. The rest follows in the next run. */
const maxDomains = 500
const atATime = 4

type Checking = { db: Database; clock: Clock; outbound: FileReader; signal: AbortSignal }

/** Reads each verified domain that is due once, and applies what it lists to its accounts. */
export async function checkDomains({ db, clock, outbound, signal }: Checking): Promise<void> {
  const due = new Date(clock.now().getTime() - recheckSeconds * 1_000)
  const { rows } = await sql<{ verified_domain: string }>`
    select verified_domain from accounts
    where verified_domain is not null and domain_checked_at < ${due}
    group by verified_domain order by min(domain_checked_at), verified_domain limit ${sql.lit(maxDomains)}`.execute(db)
  const queue = rows.values()
  const worker = async () => {
    for (const { verified_domain: domain } of queue) {
      signal.throwIfAborted()
      await applyFile(db, { domain, file: await readDomainFile(outbound, domain), at: clock.now() })
    }
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}

type Applied = { domain: string; file: DomainFile; at: Date }

async function applyFile(db: Database, { domain, file, at }: Applied): Promise<void> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'domain_checked_at'])
    .where('verified_domain', '=', domain)
    .execute()
  for (const { id: accountId, domain_checked_at: ifCheckedAt } of accounts)
    await storeCheck(db, { accountId, domain, refusal: refusalFor(file, accountId), at, ifCheckedAt })
}
