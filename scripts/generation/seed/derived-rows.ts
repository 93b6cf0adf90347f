import { kinds } from '../../../src/kinds/index.ts'
import { policy } from '../../../src/policy/policy.ts'
import { listingPageSize } from '../../../src/publishing/views.ts'
import { accountId, authorsOf, type SeedPlan } from './batch.ts'

/** Tables that one task fills, and its statements in order. */
export type Derivation = { tables: string[]; statements: string[] }

/** The share of posts that a person decided, per thousand. Measured: docs/moderation.md. */
const reviewedPerThousand = 61
/** A reviewed post waited for this long. */
const reviewTime = `interval '20 minutes'`
const isReviewed = `abs(hashtext(id::text)) % 1000 < ${reviewedPerThousand}`
const member = `'staff:staff_0${'0'.repeat(24)}1'`

const numbered = (prefix: string) => `'${prefix}_0' || lpad(n::text, 25, '0')`

/** Authors, each with a key. They are stored before the posts, which refer to them. */
export const insertAuthors = ({ posts }: SeedPlan) => `
  insert into accounts (id, name, email, policy_version, created_at)
  select ${numbered('acct')}, 'Seeded author ' || n, 'author-' || n || '@example.com', 'seed', '2024-01-01'
  from generate_series(1, ${authorsOf(posts)}) n on conflict do nothing;
  insert into balances (account_id, prepaid_micros)
  select ${numbered('acct')}, 0 from generate_series(1, ${authorsOf(posts)}) n on conflict do nothing;
  insert into api_keys (id, account_id, name, hash, last4, created_at, last_used_at)
  select ${numbered('key')}, ${numbered('acct')}, 'seed', sha256(n::text::bytea), 'seed', '2024-01-01', '2024-01-01'
  from generate_series(1, ${authorsOf(posts)}) n on conflict do nothing;`

/** The rows that the other parts of the service write for a post, computed by PostgreSQL from the stored posts. */
export const derivations = ({ now, posts }: SeedPlan): Derivation[] => [
  {
    tables: ['shelves', 'listing_pages'],
    statements: [
      `insert into shelves (kind, path, listed, standing, version, last_number)
       select kind, path, count(*), count(*), nextval('page_versions'), max(number) from shelf_entries group by kind, path`,
      `insert into listing_pages (kind, path, number, listed, version, changed_at)
       select kind, path, number / ${listingPageSize}, ${listingPageSize}, nextval('page_versions'), published_at
       from shelf_entries where path <> '' and number % ${listingPageSize} = 0`,
    ],
  },
  {
    tables: ['publications'],
    statements: [
      `insert into publications (post_id, kind, month, number, version)
       select id, kind, month, row_number() over (partition by kind, month order by id), nextval('page_versions')
       from (select id, kind, to_char(published_at at time zone 'UTC', 'YYYY-MM') as month from posts) as dated`,
    ],
  },
  { tables: ['ledger_transfers', 'key_spending'], statements: bookCharges(posts, now) },
  { tables: ['moderation_decisions', 'reviews'], statements: recordDecisions },
  {
    tables: ['events', 'event_positions'],
    statements: [
      `insert into events (id, account_id, position, type, post_id, data, at)
       select 'evt_' || substr(id, 6), account_id, row_number() over (partition by account_id order by id), 'post.published', id,
         jsonb_build_object('id', id, 'kind', kind, 'status', 'published', 'url', 'https://' || kind || '.example/p/' || id),
         published_at
       from posts`,
      'insert into event_positions (account_id, last) select account_id, max(position) from events group by account_id',
    ],
  },
  {
    tables: ['published_before', 'stream_entries', 'idempotent_answers'],
    statements: [
      `insert into published_before (account_id, subject, post_id)
       select distinct on (account_id, kind) account_id, 'kind:' || kind, id from posts order by account_id, kind, id`,
      `insert into stream_entries (kind, post_id, type, position, token, numbered_at)
       select kind, id, 'post.published', row_number() over (order by id), abs(hashtext(id::text)), published_at from posts
       where published_at > ${dayAgo(now)}`,
      `insert into idempotent_answers (account_id, site, path, key, fingerprint, status, headers, body, created_at)
       select account_id, kind, '/v1/posts', id, sha256(id::text::bytea), 202,
         jsonb_build_object('location', '/v1/posts/' || id, 'retry-after', '10'),
         jsonb_build_object('id', id, 'kind', kind, 'status', 'queued', 'created_at', created_at)::text, created_at
       from posts where created_at > ${dayAgo(now)}`,
    ],
  },
]

const literal = (at: Date) => `'${at.toISOString()}'::timestamptz`
const dayAgo = (now: Date) => `${literal(now)} - interval '1 day'`

const priceOf = `case kind ${kinds.map(({ name, priceMicros }) => `when '${name}' then ${priceMicros}`).join(' ')} end`
/** What each author has left. */
const leftMicros = 1_000_000

/** One charge for each post, a credit for each author that covers them, and the balances that follow. */
function bookCharges(posts: number, now: Date): string[] {
  const authors = `account_id between '${accountId(0)}' and '${accountId(authorsOf(posts) - 1)}'`
  return [
    `insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, entered_at, key_id)
     select 'txn_' || substr(id, 6), account_id, 'prepaid', 'revenue', ${priceOf}, 'post', id, created_at,
       'key_' || substr(account_id, 6)
     from posts`,
    `insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, entered_at)
     select 'txn_' || substr(account_id, 6), account_id, 'operator_credit', 'prepaid', ${leftMicros} + coalesce(spent, 0),
       'credit', 'seed ' || account_id, '2024-01-01'
     from balances left join (
       select account_id, sum(amount_micros) as spent from ledger_transfers group by account_id
     ) as charged using (account_id) where ${authors}`,
    `update balances set prepaid_micros = ${leftMicros} where ${authors}`,
    `insert into key_spending (day, key_id, spent_micros)
     select (entered_at at time zone 'UTC')::date, key_id, sum(amount_micros) from ledger_transfers
     where key_id is not null and entered_at > ${dayAgo(now)} group by 1, 2`,
  ]
}

/** A constant, because PostgreSQL would otherwise build the document again for every post. */
const scores = `'${JSON.stringify({
  row: 'clean',
  local: {
    overall: 0.0123,
    judged: true,
    scores: Object.fromEntries(policy.categories.map(({ id }) => [id, 0.0123])),
  },
})}'::jsonb`

/** The model's decision on each post and, where that was to review, the person's. */
const recordDecisions = [
  `insert into moderation_decisions
     (post_id, outcome, automated, actor, policy_version, model, model_version, scores, decided_at)
   select id, case when ${isReviewed} then 'review' else 'publish' end::decision_outcome, true, 'model:local',
     '${policy.version}', 'local', 'seed', ${scores}, created_at
   from posts order by id`,
  `insert into moderation_decisions (post_id, outcome, automated, actor, policy_version, decided_at)
   select id, 'publish', false, ${member}, '${policy.version}', created_at + ${reviewTime} from posts
   where ${isReviewed} order by id`,
  `insert into reviews (post_id, account_id, reason, opened_at, waits, decided_at, outcome)
   select id, account_id, 'unsure', created_at, false, created_at + ${reviewTime}, 'publish' from posts where ${isReviewed}`,
]
