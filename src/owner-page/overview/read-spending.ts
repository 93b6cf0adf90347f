import { sql } from 'kysely'
import { kinds } from '../../kinds/index.ts'
import type { Database } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/identifiers.ts'

/** The table shows the days since the account was opened, within these limits. */
const [leastDays, mostDays] = [7, 30]
const dayMs = 86_400_000
/** Keys beyond these are shown together. */
const maxKeys = 5

export type SpendingBy = 'site' | 'key'

/** One site or key, with its spending for each day. */
export type SpendingPart = { label: string; micros: readonly number[] }

export type Spending = {
  /** The last days, today last. */
  days: readonly Date[]
  parts: readonly SpendingPart[]
}

/**
 * Charges minus refunds for each of the last days, by site or by key. A refund counts for the day of its charge. Days
 * without a charge are included as zero.
 */
export async function readSpending(
  db: Database,
  { accountId, by, createdAt, at }: { accountId: string; by: SpendingBy; createdAt: Date; at: Date },
): Promise<Spending> {
  const today = Math.floor(at.getTime() / dayMs) * dayMs
  const age = Math.ceil((today - createdAt.getTime()) / dayMs) + 1
  const count = Math.min(mostDays, Math.max(leastDays, age))
  const days = Array.from({ length: count }, (_, index) => new Date(today - (count - 1 - index) * dayMs))
  const since = days[0] ?? at
  // A penalty has no key: it counts for the key that sent the post.
  const { rows } = await sql<{ day: string; part: string | null; micros: number }>`
    select to_char(taken_at at time zone 'UTC', 'YYYY-MM-DD') as day, part, sum(micros)::bigint as micros
    from (
      select taken_at, micros, ${by === 'site' ? sql`posts.kind` : sql`coalesce(key_id, max(key_id) over (partition by post_id))`} as part
      from (
        select min(entered_at) filter (where reason not in ('refund', 'review_return', 'penalty_return')) as taken_at,
          sum(case when reason in ('refund', 'review_return', 'penalty_return') then -amount_micros else amount_micros end) as micros,
          max(key_id) as key_id, split_part(subject, '/', 1) as post_id
        from ledger_transfers
        where account_id = ${accountId} and id >= ${firstIdAt('txn', since)} and entered_at >= ${since}
          and reason in ('post', 'edit', 'search', 'penalty', 'refund', 'review_return', 'penalty_return')
        group by subject, reason in ('penalty', 'penalty_return')
      ) as subjects
      ${by === 'site' ? sql`left join posts on posts.id = post_id and posts.account_id = ${accountId}` : sql``}
    ) as spending
    where taken_at is not null
    group by 1, 2`.execute(db)
  const dayNames = days.map((day) => day.toISOString().slice(0, 10))
  const byPart = Map.groupBy(rows, ({ part }) => part)
  const microsOf = (parts: readonly (string | null)[]) =>
    dayNames.map((name) => sumOf(parts.flatMap((part) => byPart.get(part) ?? []).filter(({ day }) => day === name)))
  return { days, parts: by === 'site' ? siteParts(microsOf) : await keyParts(db, accountId, { byPart, microsOf }) }
}

type Row = { micros: number }

const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, { micros }) => sum + Number(micros), 0)

const siteParts = (microsOf: (parts: (string | null)[]) => number[]): SpendingPart[] => [
  ...kinds.map(({ name, site }) => ({ label: capital(site.plural), micros: microsOf([name]) })),
  { label: 'Searches', micros: microsOf([null]) },
]

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

type ByKey = { byPart: ReadonlyMap<string | null, readonly Row[]>; microsOf: (parts: (string | null)[]) => number[] }

/** The keys that spent the most, then all others. */
async function keyParts(db: Database, accountId: string, { byPart, microsOf }: ByKey): Promise<SpendingPart[]> {
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'last4', 'client_host'])
    .where('account_id', '=', accountId)
    .execute()
  const spent = [...byPart].toSorted(([, one], [, other]) => sumOf(other) - sumOf(one)).map(([part]) => part)
  const named = spent.flatMap((part) => keys.filter(({ id }) => id === part))
  const shown = named.slice(0, maxKeys)
  const rest = spent.filter((part) => !shown.some(({ id }) => id === part))
  return [
    ...shown.map(({ id, name, ...key }) => ({
      label: `${name} (${key.client_host ?? `…${key.last4}`})`,
      micros: microsOf([id]),
    })),
    ...(rest.length > 0 ? [{ label: shown.length === 0 ? 'No key' : 'Others', micros: microsOf(rest) }] : []),
  ]
}

/** The most that the account's keys can spend per day together; null if one of them has no cap. */
export async function readDailyCap(db: Database, accountId: string): Promise<number | null> {
  const keys = await db
    .selectFrom('api_keys')
    .select('daily_cap_micros')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute()
  const caps = keys.flatMap(({ daily_cap_micros }) => daily_cap_micros ?? [])
  return caps.length > 0 && caps.length === keys.length ? caps.reduce((sum, micros) => sum + micros, 0) : null
}
