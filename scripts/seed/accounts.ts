export const accountCount = 1_000

/** Numbered, so that the same seed gives the same authors. */
export const accountId = (number: number) => `acct_0${String(number + 1).padStart(25, '0')}`

/** Authors with money. Those that are there stay as they are. */
export const insertAccounts = `
  insert into accounts (id, name, email, policy_version, created_at)
  select id, 'Seeded author ' || n, 'author-' || n || '@example.com', 'seed', '2024-01-01'
  from (select n, 'acct_0' || lpad(n::text, 25, '0') as id from generate_series(1, ${accountCount}) n) as given
  on conflict do nothing;
  insert into balances (account_id, prepaid_micros)
  select 'acct_0' || lpad(n::text, 25, '0'), 0 from generate_series(1, ${accountCount}) n
  on conflict do nothing;`
