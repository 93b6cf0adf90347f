-- works with: 0040
-- Agents that sign their requests with a key that a domain publishes (Web Bot Auth). See decisions/0101.
-- checking: a worker reads the directory. refused: the check failed. awaiting_owner: the owner decides. declined: the owner
-- said no, or removed or replaced the mark. verified: posts show the domain. lost: the domain no longer publishes the key.
create type agent_state as enum ('checking', 'refused', 'awaiting_owner', 'declined', 'verified', 'lost');

create table agent_keys (
  account_id account_id not null references accounts,
  directory_url text collate "C" not null,
  key_id text collate "C" not null check (key_id ~ '^[A-Za-z0-9_-]{43}$'),
  domain text collate "C" not null check (domain ~ '^[a-z0-9.-]{4,253}$'),
  state agent_state not null,
  refusal text collate "C" check (refusal ~ '^[a-z_]{1,40}$'),   -- a fixed code
  signature_base text check (length(signature_base) <= 8192),     -- no body and no text of a post
  signature bytea check (length(signature) = 64),
  signed_at timestamptz not null,
  checked_at timestamptz,
  failing_since timestamptz,                                      -- the directory could not be read since then
  decided_at timestamptz,                                         -- by the owner
  primary key (account_id, directory_url, key_id),
  constraint the_directory_is_the_domains check (
    directory_url = 'https://' || domain || '/.well-known/http-message-signatures-directory'
  ),
  constraint a_signature_is_kept_until_it_is_checked check (
    (state = 'checking') = (signature_base is not null) and (state = 'checking') = (signature is not null)
  ),
  constraint a_refusal_has_a_reason check ((state in ('refused', 'lost')) = (refusal is not null)),
  constraint a_mark_was_confirmed check (state <> 'verified' or decided_at is not null)
);
comment on table agent_keys is 'Keys that sign requests of an account, by the directory that publishes them.';
create unique index agent_keys_verified on agent_keys (account_id) where state = 'verified';
-- Keys that wait for an owner who does not answer are deleted after a while.
create index agent_keys_waiting on agent_keys (signed_at) where state = 'awaiting_owner';
create index agent_keys_to_check_again on agent_keys (directory_url, checked_at) where state in ('awaiting_owner', 'verified');
create index agent_keys_ended on agent_keys (coalesce(checked_at, signed_at))
  where state in ('checking', 'refused', 'declined', 'lost');
create trigger refuse_closed_account before insert on agent_keys
  for each row execute function refuse_closed_account();
grant select, insert on agent_keys to broadside_api;
grant update (state, refusal, signature_base, signature, signed_at, checked_at, failing_since) on agent_keys
  to broadside_api;
grant select, delete, update (state, refusal, signature_base, signature, checked_at, failing_since, decided_at)
  on agent_keys to broadside_worker;
grant select (account_id, directory_url, key_id, domain, state, refusal, signed_at, checked_at, decided_at) on agent_keys
  to broadside_owner_page, broadside_desk, broadside_operator, broadside_reader;
grant update (state, decided_at) on agent_keys to broadside_owner_page;

-- Why the last signature of an account was refused before any key was looked up: feedback for its agent.
create table agent_refusals (
  account_id account_id primary key references accounts,
  refusal text collate "C" not null check (refusal ~ '^[a-z_]{1,40}$'),
  refused_at timestamptz not null
);
create index agent_refusals_by_time on agent_refusals (refused_at);
create trigger refuse_closed_account before insert on agent_refusals
  for each row execute function refuse_closed_account();
grant select, insert, update on agent_refusals to broadside_api;
grant select, delete on agent_refusals to broadside_worker;
grant select on agent_refusals to broadside_operator, broadside_reader;

-- Nonces, or hashes of signatures without one, until the signature expires: none proves a second account.
create table agent_nonces (
  key_id text collate "C" not null,
  nonce bytea not null check (length(nonce) = 32),   -- SHA-256
  expires_at timestamptz not null,
  primary key (key_id, nonce)
);
create index agent_nonces_expired on agent_nonces (expires_at);
grant select, insert, update (expires_at) on agent_nonces to broadside_api;
grant select, delete on agent_nonces to broadside_worker;
grant select on agent_nonces to broadside_operator, broadside_reader;

create function forget_agents() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from agent_keys where account_id = new.id;
  delete from agent_refusals where account_id = new.id;
  return null;
end $$;
revoke execute on function forget_agents from public;
create trigger forget_agents after update of standing on accounts
  for each row when (old.standing <> 'closed' and new.standing = 'closed') execute function forget_agents();

-- What a public post shows of its author's mark. Stored with the post, because public posts are signed as they are.
alter table posts
  add column agent_domain text collate "C",
  add column agent_directory_url text collate "C",
  add column agent_verified_at timestamptz,
  add constraint a_mark_is_whole
    check (num_nulls(agent_domain, agent_directory_url, agent_verified_at) in (0, 3)) not valid;
grant update (agent_domain, agent_directory_url, agent_verified_at) on posts
  to broadside_api, broadside_worker, broadside_operator;
