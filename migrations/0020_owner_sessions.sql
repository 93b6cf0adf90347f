-- A link that we mailed came to nobody but the owner; any other is in the agent's hands. Only the worker makes such a link.
alter table owner_links add column mailed boolean not null default false;
revoke insert on owner_links from broadside_api;
grant insert (token_hash, account_id, expires_at) on owner_links to broadside_api;

-- A link was opened: this browser may ask for a code. It knows which account is meant and opens nothing.
create table owner_visits (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id account_id not null,
  expires_at timestamptz not null,
  by_mailed_link boolean not null default false            -- the link that opened it was one that we mailed
);
create index owner_visits_by_expiry on owner_visits (expires_at);

-- Six digits that were mailed. A stolen copy of this table holds none of them.
create table owner_codes (
  id bigint primary key generated always as identity,
  account_id account_id not null,
  purpose text not null check (purpose in ('sign_in', 'change_email')),
  asked_by bytea not null check (length(asked_by) = 32),   -- the visit or session; no other browser may enter it
  email text not null,
  email_before text,                                       -- of a change of address: the one that is told of it
  sealed bytea,                                            -- null once it was used, guessed at too often or replaced
  key_id text not null,
  tries smallint not null default 0 check (tries between 0 and 5),   -- that were wrong
  created_at timestamptz not null,
  expires_at timestamptz not null,
  by_mailed_link boolean not null default false            -- as the visit was that asked for it
);
create index owner_codes_by_account on owner_codes (account_id, created_at);
create index owner_codes_by_mailbox on owner_codes (lower(email), created_at);
create index owner_codes_by_age on owner_codes (expires_at);

-- Somebody named an address on the front page. Whether it has accounts, only the worker looks: it deletes what it does not
-- mail. What it mails is kept for an hour, to be counted.
create table owner_link_mails (
  id bigint primary key generated always as identity,
  email text not null,
  asked_at timestamptz not null,
  mailed_at timestamptz
);
create index owner_link_mails_by_mailbox on owner_link_mails (lower(email), mailed_at);
create index owner_link_mails_by_age on owner_link_mails (asked_at);

create table owner_sessions (
  id uuid primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  account_id account_id not null,
  browser text not null,                                   -- one of a few words: "Firefox on Linux"
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz
);
create index owner_sessions_by_account on owner_sessions (account_id);
create index owner_sessions_by_age on owner_sessions (created_at);

grant select, insert on owner_visits, owner_codes, owner_sessions to broadside_owner_page;
grant delete on owner_visits to broadside_owner_page;
grant update (sealed, tries) on owner_codes to broadside_owner_page;
grant update (last_seen_at, ended_at) on owner_sessions to broadside_owner_page;
grant insert (email, asked_at), select (id) on owner_link_mails to broadside_owner_page;
-- The API recognises the owner's session as a bearer token, and keeps it alive.
grant select on owner_sessions to broadside_api;
grant update (last_seen_at) on owner_sessions to broadside_api;
-- The worker mails codes and links, and sweeps.
grant select, delete on owner_visits, owner_codes, owner_sessions, owner_link_mails to broadside_worker;
grant update (mailed_at) on owner_link_mails to broadside_worker;
grant select (id, account_id, name, last4, scope) on api_keys to broadside_worker;   -- it tells the owner of a new one
grant select, insert, delete on owner_links to broadside_worker;
grant update (expires_at) on owner_links to broadside_worker;   -- what `for update skip locked` asks for
grant select (id, account_id, browser, created_at, last_seen_at, ended_at) on owner_sessions to broadside_reader;

create index accounts_by_email on accounts (lower(email)) where standing <> 'closed';

-- The owner's own page shows the account whole, and changes what only its owner may.
grant select on accounts, posts, post_edits, moderation_decisions, appeals, webhooks, deliveries, events
  to broadside_owner_page;
grant update (
  email, email_verified_at, card_on_file, deletion_requested_at,
  auto_recharge_enabled, auto_recharge_threshold_micros, auto_recharge_amount_micros
) on accounts to broadside_owner_page;
create policy owner_files on appeals for insert to broadside_owner_page
  with check (exists (select from posts where posts.id = post_id and posts.account_id = appeals.account_id));
grant insert (post_id, account_id, edit, message, submitted_at) on appeals to broadside_owner_page;
grant select on model_status to broadside_owner_page;
-- An appeal is filed under the lock of its post; an endpoint is deleted with its secrets, which are never read.
grant execute on function lock_post to broadside_owner_page;
grant update (deleted_at, changes) on webhooks to broadside_owner_page;
grant select (webhook_id), delete on webhook_secrets to broadside_owner_page;
grant select, update (due_at) on delivery_lanes to broadside_owner_page;

create policy owner_page_signs on audit_log for insert to broadside_owner_page with check (actor like 'owner:%');
grant insert on audit_log to broadside_owner_page;

-- It enqueues what follows from an owner's act, as the API does.
grant usage on schema pgboss to broadside_owner_page;
grant execute on function pgboss.job_now() to broadside_owner_page;
grant insert (name, data, singleton_key, policy, start_after, keep_until, expire_seconds, deletion_seconds,
  heartbeat_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max)
  on pgboss.job_common to broadside_owner_page;
grant select (name, state, start_after) on pgboss.job_common to broadside_owner_page;
