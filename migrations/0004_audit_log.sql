create table audit_log (
  id bigint primary key generated always as identity,
  at timestamptz not null,
  actor text not null,                        -- 'operator:<login name>', 'owner:<account id>'
  action text not null,                       -- 'account.ban', 'ledger.credit'
  account_id account_id references accounts,
  details jsonb not null default '{}'
);
create index audit_log_by_account on audit_log (account_id, id);
comment on table audit_log is 'Append-only: the application''s roles may add a row and nothing else.';

grant insert on audit_log to broadside_api, broadside_worker, broadside_operator;
grant select on audit_log to broadside_operator, broadside_reader;
