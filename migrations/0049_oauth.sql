-- works with: 0040

-- The authorization server; see decisions/0079. Tokens and codes are stored as hashes only.

-- A client that registered itself, or a cached metadata document whose address is the identifier.
create table oauth_clients (
  id text primary key check (length(id) between 8 and 2048),
  name text not null,
  redirect_uris text[] not null,
  grant_types text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null   -- of the cached document, or of a registered client that is no longer used
);
create index oauth_clients_by_expiry on oauth_clients (expires_at);

-- A connected app is a key without a secret: its tokens are in oauth_access_tokens. Its sessions renew them.
alter table api_keys add column client_id text;
alter table api_keys add column client_host text;   -- who gets the tokens, as the owner saw it
alter table api_keys alter column hash drop not null;
alter table api_keys alter column last4 drop not null;
alter table api_keys add constraint a_key_or_an_app check (
  (hash is null) = (client_id is not null) and (last4 is null) = (client_id is not null)
  and (client_host is null) = (client_id is null)
) not valid;

-- What a client asks the owner for: with a redirect, or from a device without a browser.
create table oauth_requests (
  id text primary key check (length(id) = 43),
  client_id text not null,
  client_name text not null,
  client_host text not null,
  redirect_uri text,
  state text check (length(state) <= 2048),
  code_challenge text check (length(code_challenge) = 43),
  scopes text[] not null,
  resource text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  device_hash bytea unique check (length(device_hash) = 32),
  user_code_hash bytea unique check (length(user_code_hash) = 32),
  polled_at timestamptz,
  poll_seconds integer not null default 5,
  decided_at timestamptz,
  key_id key_id references api_keys on delete cascade,   -- the connected app; null if the owner declined
  granted_scopes text[],
  code_hash bytea unique check (length(code_hash) = 32),
  code_expires_at timestamptz,
  session_id uuid,                                       -- that the code was exchanged for
  constraint a_redirect_or_a_device check (
    (redirect_uri is null) = (device_hash is not null) and (redirect_uri is null) = (code_challenge is null)
  ),
  constraint consent_before_code check (code_hash is null or (key_id is not null and decided_at is not null)),
  constraint consent_before_session check (session_id is null or (key_id is not null and decided_at is not null))
);
create index oauth_requests_by_expiry on oauth_requests (expires_at);
create index oauth_requests_by_key on oauth_requests (key_id) where key_id is not null;

-- One connection of an app. Only the hash of its current refresh token is stored: any other token of the session was
-- used before.
create table oauth_sessions (
  id uuid primary key,
  key_id key_id not null references api_keys on delete cascade,
  client_id text not null,
  scopes text[] not null,
  resource text not null,
  refresh_hash bytea not null check (length(refresh_hash) = 32),
  created_at timestamptz not null,
  refreshed_at timestamptz not null,
  expires_at timestamptz not null
);
create index oauth_sessions_by_key on oauth_sessions (key_id);
create index oauth_sessions_by_expiry on oauth_sessions (expires_at);

create table oauth_access_tokens (
  hash bytea primary key check (length(hash) = 32),
  session_id uuid not null references oauth_sessions on delete cascade,
  scopes text[] not null,
  expires_at timestamptz not null
);
create index oauth_access_tokens_by_session on oauth_access_tokens (session_id);
create index oauth_access_tokens_by_expiry on oauth_access_tokens (expires_at);

-- A code that proves a mailbox before an account is known or exists.
create table mailbox_codes (
  id bigint generated always as identity primary key,
  asked_by bytea not null check (length(asked_by) = 32),   -- the browser that asked for it
  email text not null,
  sealed bytea,
  key_id text not null,
  tries smallint not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  proven_at timestamptz                                    -- the right code was entered
);
create index mailbox_codes_by_browser on mailbox_codes (asked_by);
create index mailbox_codes_by_mailbox on mailbox_codes (fold_mailbox(email), created_at);
create index mailbox_codes_by_age on mailbox_codes (expires_at);

grant select, insert, update, delete on oauth_clients, oauth_requests, oauth_sessions, oauth_access_tokens
  to broadside_owner_page;
grant select, insert on mailbox_codes to broadside_owner_page;
grant update (sealed, tries, proven_at) on mailbox_codes to broadside_owner_page;
grant insert (client_id, client_host), update (client_host) on api_keys to broadside_owner_page;
grant select (client_id, client_host, created_at, revoked_at) on api_keys to broadside_worker;
grant update (revoked_at) on api_keys to broadside_worker;
-- A person who connects an app can open the account there.
grant insert (id, name, email, policy_version, created_at) on accounts to broadside_owner_page;
grant insert (account_id) on balances to broadside_owner_page;
-- The API only checks access tokens.
grant select on oauth_access_tokens, oauth_sessions to broadside_api;
grant select, delete on oauth_clients, oauth_requests, oauth_sessions, oauth_access_tokens, mailbox_codes
  to broadside_worker;
grant select (id, name, created_at, expires_at) on oauth_clients to broadside_operator, broadside_reader;
grant select (id, client_id, client_host, scopes, created_at, expires_at, decided_at, key_id)
  on oauth_requests to broadside_operator, broadside_reader;
grant select (id, key_id, client_id, scopes, created_at, refreshed_at, expires_at)
  on oauth_sessions to broadside_operator, broadside_reader;

-- Codes to the mailbox of a closed account.
create function forget_mailbox_codes() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from mailbox_codes where lower(email) = lower(old.email);
  return null;
end $$;
revoke execute on function forget_mailbox_codes from public;
create trigger forget_mailbox_codes after update of standing on accounts
  for each row when (old.standing <> 'closed' and new.standing = 'closed') execute function forget_mailbox_codes();
