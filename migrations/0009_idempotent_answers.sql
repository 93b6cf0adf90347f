-- The first answer to a request with an Idempotency-Key, kept for 24 hours.
create table idempotent_answers (
  account_id account_id not null,
  site text collate "C" not null,
  path text collate "C" not null,
  key text collate "C" not null check (length(key) between 8 and 128),
  fingerprint bytea not null check (length(fingerprint) = 32),   -- SHA-256 of the canonical body
  status smallint not null,
  headers jsonb not null,
  body text not null,                                            -- the bytes that were sent
  created_at timestamptz not null,
  constraint answered_once primary key (account_id, site, path, key)
);
create index idempotent_answers_by_time on idempotent_answers (created_at);
comment on table idempotent_answers is 'Written in the transaction that charges, so an answer is here exactly when the charge is.';

-- The API takes a row over when it is older than a day; the worker deletes such rows.
grant select, insert, update on idempotent_answers to broadside_api;
grant select, delete, update (created_at) on idempotent_answers to broadside_worker;   -- update: what `for update skip locked` asks for
grant select on idempotent_answers to broadside_reader;
