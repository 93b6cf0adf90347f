import { hashApiKey, newApiKey } from '../../../../src/accounts/keys/api-key.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import type { OwnDatabase } from '../../../../tooling/services/databases.ts'

/** Accounts with more than enough balance, each with a key, numbered so that pgbench can choose one by number. */
export async function openCustomers({ urls }: OwnDatabase, count: number) {
  await using owner = connect(urls.migrator, { poolMax: 1, applicationName: 'bench setup', statementTimeoutMs: 0 })
  const ids = Array.from({ length: count }, (_, index) => `acct_0${String(index + 1).padStart(25, '0')}`)
  const apiKeys = ids.map(() => newApiKey())
  await owner.pool.query(
    `insert into accounts (id, name, email, policy_version, created_at)
     select id, 'bench', 'bench@example.com', 'bench', '2026-01-01' from unnest($1::text[]) id`,
    [ids],
  )
  await owner.pool.query('insert into balances select id, 1000000000000000, 0 from unnest($1::text[]) id', [ids])
  await owner.pool.query(
    `insert into api_keys (id, account_id, name, hash, last4, created_at)
     select replace(id, 'acct_', 'key_'), id, 'bench', hash, 'last', '2026-01-01'
     from unnest($1::text[], $2::bytea[]) as given (id, hash)`,
    [ids, apiKeys.map(hashApiKey)],
  )
  return { ids, apiKeys }
}

/** The given number of published posts, each with a charge, a signature from this week, and the rows of a decision. */
export async function storePosts({ urls }: OwnDatabase, count: number): Promise<void> {
  await using owner = connect(urls.migrator, { poolMax: 1, applicationName: 'bench setup', statementTimeoutMs: 0 })
  const statements = [
    // Allowed only in a bench: these posts count as decided long ago.
    'alter table posts disable trigger user',
    'alter table ledger_transfers disable trigger user',
    'truncate posts, post_signatures, ledger_transfers, idempotent_answers, pgboss.job_common cascade',
    'drop index post_signatures_by_band',
    `insert into posts (id, account_id, kind, status, content, facets, created_at, decided_at, published_at, listed)
     select ${id('post')}, ${account}, 'message', 'published',
       jsonb_build_object('text', md5(n::text) || ' ' || repeat('word ', 30), 'topics', jsonb_build_array('t' || n % 500)),
       jsonb_build_object('topics', jsonb_build_array('t' || n % 500), 'country', chr(65 + n % 26) || chr(65 + n % 13)),
       ${at}, ${at}, ${at}, true
     from generate_series(1, ${count}) n`,
    `insert into post_signatures (post_id, account_id, words, bands, minhash, created_at) select ${id('post')}, ${account}, 30,
       array(select (random() * 4294967295 - 2147483648)::bigint::integer from generate_series(1, 5 + n * 0)),
       array(select (random() * 4294967295 - 2147483648)::bigint::integer from generate_series(1, 40 + n * 0)), ${at}
     from generate_series(1, ${count}) n`,
    `insert into ledger_transfers select ${id('txn')}, ${account}, 'prepaid', 'revenue', 20000, 'post', ${id('post')}, 0, ${at}
     from generate_series(1, ${count}) n`,
    'create index post_signatures_by_band on post_signatures using gin (bands) with (fastupdate = off)',
    'alter table posts enable trigger user',
    'alter table ledger_transfers enable trigger user',
    'vacuum analyze',
  ]
  for (const [index, statement] of statements.entries()) {
    process.stderr.write(`\rstoring ${count.toLocaleString('en')} posts: step ${index + 1} of ${statements.length} `)
    // One connection, because the pool has no other.
    await owner.pool.query(statement)
  }
  process.stderr.write('\n')
}

const id = (prefix: string) => `'${prefix}_00' || lpad(n::text, 24, '0')`
const account = `'acct_0' || lpad((1 + n % 1000)::text, 25, '0')`
/** Within the week in which posts are compared for duplicates. */
const at = `now() - interval '6 days' + n * interval '100 milliseconds'`
