create table audit_log (
  id bigint primary key generated always as identity,
  at timestamptz not null,
  actor text not null,                        -- 'operator:<login name>', 'owner:<account id>', 'system:<process>'
  action text not null,                       -- 'account.ban', 'ledger.credit'
  account_id account_id references accounts,
  details jsonb not null default '{}'
);
create index audit_log_by_account on audit_log (account_id, id);
comment on table audit_log is 'Append-only: the application''s roles may add a row and nothing else.';

-- Nobody signs with another's name.
alter table audit_log enable row level security;
create policy readers on audit_log for select using (true);
create policy api_signs on audit_log for insert to broadside_api with check (actor like 'owner:%');
create policy worker_signs on audit_log for insert to broadside_worker with check (actor like 'system:%');
create policy operator_signs on audit_log for insert to broadside_operator with check (actor like 'operator:%');

grant insert on audit_log to broadside_api, broadside_worker, broadside_operator;
grant select on audit_log to broadside_operator, broadside_reader;
