create type account_standing as enum ('good', 'banned', 'closed');

create table accounts (
  id account_id primary key,
  name text not null,
  email text not null,
  email_verified_at timestamptz,
  standing account_standing not null default 'good',
  strikes integer not null default 0 check (strikes >= 0),
  policy_version text not null,               -- the policy that was accepted
  card_on_file boolean not null default false,
  auto_recharge_enabled boolean not null default false,
  auto_recharge_threshold_micros micros not null default 1000000 check (auto_recharge_threshold_micros >= 0),
  auto_recharge_amount_micros micros not null default 10000000 check (auto_recharge_amount_micros > 0),
  deletion_requested_at timestamptz,
  created_at timestamptz not null
);

create table api_keys (
  id key_id primary key,
  account_id account_id not null references accounts,
  name text not null,
  hash bytea not null unique check (length(hash) = 32),
  last4 text not null check (length(last4) = 4),
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_account on api_keys (account_id);
comment on column api_keys.hash is 'SHA-256 of the key. The key itself is shown once and stored nowhere.';

create table owner_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id account_id not null references accounts,
  expires_at timestamptz not null
);

create index owner_links_by_expiry on owner_links (expires_at);

-- An agent may stop its owner's money from being spent, never start it: so not even the API's role can.
create function turn_off_auto_recharge(account account_id) returns void
language sql security definer set search_path = public, pg_temp as $$
  update accounts set auto_recharge_enabled = false where id = account
$$;
revoke execute on function turn_off_auto_recharge from public;

grant select on accounts, api_keys, owner_links to broadside_reader;

-- The API creates accounts, turns auto-recharge off and records a wish to be deleted.
-- Standing, strikes, email, card and everything else about auto-recharge are not its to change.
grant select on accounts, api_keys, owner_links to broadside_api;
grant insert (id, name, email, policy_version, created_at) on accounts to broadside_api;
grant update (deletion_requested_at) on accounts to broadside_api;
grant execute on function turn_off_auto_recharge to broadside_api;
grant insert (id, account_id, name, hash, last4, created_at) on api_keys to broadside_api;
grant update (last_used_at) on api_keys to broadside_api;
grant insert, delete on owner_links to broadside_api;
grant update (expires_at) on owner_links to broadside_api;   -- what `for update skip locked` asks for

-- The owner page finds the account that a link names.
grant select (id, name, email, standing) on accounts to broadside_owner_page;
grant select on owner_links to broadside_owner_page;

grant select on accounts, api_keys to broadside_operator;
grant update (standing, strikes) on accounts to broadside_operator;
grant update (revoked_at) on api_keys to broadside_operator;
