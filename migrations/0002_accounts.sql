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
create index owner_links_by_account on owner_links (account_id, expires_at);

grant select on accounts, api_keys, owner_links to broadside_reader;

-- The API creates accounts, turns auto-recharge off and records a wish to be deleted.
-- Standing, strikes, email and card are not its to change.
grant select on accounts, api_keys, owner_links to broadside_api;
grant insert (id, name, email, policy_version, created_at) on accounts to broadside_api;
grant update (auto_recharge_enabled, deletion_requested_at) on accounts to broadside_api;
grant insert on api_keys to broadside_api;
grant update (last_used_at) on api_keys to broadside_api;
grant insert, delete on owner_links to broadside_api;

grant select on accounts, api_keys to broadside_operator;
grant update (standing, strikes) on accounts to broadside_operator;
grant update (revoked_at) on api_keys to broadside_operator;
