-- The desk: the operator's staff, what waits for them, and what they decided.

-- Databases that were made before this role do not know it.
do $$ begin execute format('grant connect on database %I to broadside_desk', current_database()); end $$;
grant select on schema_migrations, development_clock to broadside_desk;

create domain staff_id as text collate "C" check (value ~ '^staff_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create type staff_role as enum ('reviewer', 'lead', 'admin');

create table staff (
  id staff_id primary key,
  name text not null check (length(name) between 1 and 80),
  email text not null,
  role staff_role not null,
  invited_at timestamptz not null,
  disabled_at timestamptz                        -- a member that has left stays: what they decided names them
);
create unique index one_member_a_mailbox on staff (lower(email)) where disabled_at is null;

-- What was mailed to a member so that they can add a passkey, once. The worker makes the token as it sends it.
create table staff_links (
  id bigint primary key generated always as identity,
  staff_id staff_id not null references staff,
  asked_at timestamptz not null,
  token_hash bytea unique check (length(token_hash) = 32),
  expires_at timestamptz,
  used_at timestamptz
);
create index staff_links_by_member on staff_links (staff_id);

create table passkeys (
  id text collate "C" primary key,               -- the credential's, in base64url
  staff_id staff_id not null references staff,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null default '{}',
  label text not null,                           -- one of a few words: "Chrome on Linux"
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index passkeys_by_member on passkeys (staff_id);
-- A challenge carries its own proof, and is believed once.
create table spent_challenges (
  challenge_hash bytea primary key check (length(challenge_hash) = 32),
  spent_at timestamptz not null
);

create table staff_sessions (
  id uuid primary key,
  token_hash bytea not null unique check (length(token_hash) = 32),
  staff_id staff_id not null references staff,
  passkey_id text not null references passkeys,
  browser text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz
);
create index staff_sessions_by_member on staff_sessions (staff_id);

-- Who looks at a case now. A claim that has expired holds nobody up.
create table desk_claims (
  case_key text collate "C" primary key,
  staff_id staff_id not null references staff,
  claimed_at timestamptz not null,
  expires_at timestamptz not null
);
create index desk_claims_by_member on desk_claims (staff_id);
create table desk_skips (
  case_key text collate "C",
  staff_id staff_id references staff,
  until timestamptz not null,
  primary key (case_key, staff_id)
);

-- One row for each case that a person decided, for ever. It waits until `due_at`, and can be undone until then: the
-- row is deleted, and nothing but the audit log knows of it. Afterwards the worker makes it true.
create table desk_decisions (
  case_key text collate "C" primary key,
  case_kind text not null,
  post_id post_id not null references posts,
  edit smallint not null,
  account_id account_id not null,
  staff_id staff_id not null references staff,
  verdict text not null,
  category text,
  seconds integer not null check (seconds >= 0),  -- from the claim to the decision
  decided_at timestamptz not null,
  due_at timestamptz not null,
  applied_at timestamptz,
  effect text check (effect in ('done', 'nothing_to_do')),   -- the author may have deleted the post meanwhile
  constraint a_verdict_of_its_kind check ((case_kind, verdict) in (
    ('review', 'publish'), ('review', 'reject'), ('review', 'low_quality'),
    ('report', 'keep'), ('report', 'remove'),
    ('appeal', 'uphold'), ('appeal', 'dismiss'),
    ('check', 'confirm'), ('check', 'overturn')
  )),
  constraint a_category_where_one_is_named check ((category is not null) = (verdict in ('reject', 'remove'))),
  constraint applied_with_an_effect check ((applied_at is null) = (effect is null)),
  constraint the_key_names_the_case check (case_key like case_kind || ':%')
);
create index desk_decisions_to_apply on desk_decisions (due_at) where applied_at is null;
create index desk_decisions_by_post on desk_decisions (post_id);
create index desk_decisions_by_member on desk_decisions (staff_id, decided_at);
create index desk_decisions_by_time on desk_decisions (decided_at);

-- Whoever decides holds the case. An appeal is decided by somebody who has decided nothing about this post before.
create function keep_decisions_fair() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Of two cases of one post, decided by one person at the same moment, the second sees the first.
  perform pg_advisory_xact_lock(hashtextextended('decides ' || new.post_id || new.staff_id, 0));
  perform from desk_claims where case_key = new.case_key and staff_id = new.staff_id for update;
  if not found then
    raise exception 'the case is not claimed by who decides it' using errcode = 'check_violation', constraint = 'decided_by_its_holder';
  end if;
  if new.case_kind = 'appeal' and exists (
    select from desk_decisions where post_id = new.post_id and staff_id = new.staff_id
  ) then
    raise exception 'an appeal is not decided by who decided before' using errcode = 'check_violation', constraint = 'appeals_go_to_others';
  end if;
  return new;
end $$;
create trigger keep_decisions_fair before insert on desk_decisions for each row execute function keep_decisions_fair();

alter table desk_decisions enable row level security;
create policy everyone_reads on desk_decisions for select using (true);
create policy desk_decides on desk_decisions for insert to broadside_desk with check (applied_at is null);
create policy desk_undoes on desk_decisions for delete to broadside_desk using (applied_at is null);
create policy worker_applies on desk_decisions for update to broadside_worker using (true) with check (applied_at is not null);

-- What waits is found by these.
create index posts_in_review on posts (created_at) where status = 'review';
create index post_edits_in_review on post_edits (submitted_at) where status = 'review';
create index moderation_decisions_to_check on moderation_decisions (decided_at) where automated and outcome = 'abuse';

-- The worker carries out what a person decided, in that person's name, and only that.
create policy worker_carries_out on moderation_decisions for insert to broadside_worker with check (
  not automated and exists (
    select from desk_decisions desk
    where desk.post_id = moderation_decisions.post_id and desk.applied_at is null and actor = 'staff:' || desk.staff_id
  )
);
create policy worker_decides on appeals for update to broadside_worker using (true) with check (
  exists (
    select from desk_decisions desk where desk.post_id = appeals.post_id and desk.applied_at is null
      and desk.verdict in ('uphold', 'dismiss', 'overturn')
  )
);
grant update (outcome, decided_at) on appeals to broadside_worker;
-- As before; but the worker takes one back only where a person has decided so.
create or replace function take_strike_back(account account_id, to_ban integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if session_user = 'broadside_worker' and not exists (
    select from desk_decisions desk where desk.account_id = account and desk.applied_at is null
      and desk.verdict in ('uphold', 'overturn')
  ) then
    raise exception 'nobody has decided that' using errcode = 'insufficient_privilege';
  end if;
  update accounts set
    strikes = strikes - 1,
    standing = case when banned_for_strikes and strikes - 1 < to_ban and standing = 'banned' then 'good' else standing end,
    banned_for_strikes = banned_for_strikes and strikes - 1 >= to_ban
  where id = account and strikes > 0;
end $$;
grant execute on function take_strike_back to broadside_worker;
create policy worker_gives_penalties_back on ledger_transfers for insert to broadside_worker with check (
  reason = 'penalty_return' and exists (
    select from desk_decisions desk where desk.account_id = ledger_transfers.account_id and desk.applied_at is null
      and desk.verdict in ('uphold', 'overturn')
  )
);

-- The desk reads the log by who acted and by what it was about, and counts what was undone.
create index audit_log_by_actor on audit_log (actor, id);
create index audit_log_by_case on audit_log ((details ->> 'case'), id) where details ->> 'case' is not null;
create index audit_log_by_post on audit_log ((details ->> 'post_id'), id) where details ->> 'post_id' is not null;
create index audit_log_undone on audit_log (at) where action = 'case.undo';

-- Ends a case, and hands on to a new one what came in after it was read: no report is closed that nobody has seen.
create function close_read_reports(
  reported post_id, current_case smallint, the_outcome report_outcome, read_until timestamptz, at timestamptz
) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- As file_report: nobody adds a report meanwhile.
  perform pg_advisory_xact_lock(hashtextextended('report ' || reported, 0));
  update report_cases set closed_at = at, outcome = the_outcome
    where post_id = reported and number = current_case and closed_at is null;
  if not found then return false; end if;
  if exists (
    select from reports where post_id = reported and case_number = current_case and received_at > read_until
  ) then
    insert into report_cases (post_id, number, opened_at)
      select reported, current_case + 1, min(received_at) from reports
      where post_id = reported and case_number = current_case and received_at > read_until;
    update reports set case_number = current_case + 1
      where post_id = reported and case_number = current_case and received_at > read_until;
  end if;
  return true;
end $$;
revoke execute on function close_read_reports from public;
grant execute on function close_read_reports to broadside_worker;

create policy desk_signs on audit_log for insert to broadside_desk with check (actor like 'staff:%');

-- The desk reads what a decision needs. It cannot read an owner's address, a key or a payment, and changes no post.
grant select on posts, post_edits, post_signatures, moderation_decisions, appeals, report_cases to broadside_desk;
grant select (id, post_id, case_number, account_id, category, detail, received_at) on reports to broadside_desk;
grant select (id, name, standing, strikes, created_at) on accounts to broadside_desk;
grant execute on function sharing_a_band to broadside_desk;
grant select on audit_log, audit_chain, audit_head to broadside_desk;
grant insert (at, actor, action, account_id, details) on audit_log to broadside_desk;
grant select, insert, update, delete on desk_claims, desk_skips to broadside_desk;
grant select, insert, delete on desk_decisions to broadside_desk;
grant select on staff, passkeys, staff_sessions to broadside_desk;
grant update (role, disabled_at) on staff to broadside_desk;
grant select, update (used_at) on staff_links to broadside_desk;
grant insert on passkeys, staff_sessions to broadside_desk;
grant select, insert on spent_challenges to broadside_desk;
grant update (sign_count, last_used_at, revoked_at) on passkeys to broadside_desk;
grant update (last_seen_at, ended_at) on staff_sessions to broadside_desk;

grant select, update (applied_at, effect) on desk_decisions to broadside_worker;
grant select, delete on desk_claims, desk_skips, staff_sessions, spent_challenges to broadside_worker;
grant select on staff, staff_links to broadside_worker;
grant update (token_hash, expires_at) on staff_links to broadside_worker;

-- Members come and go by the operator's commands.
grant select, insert, update (name, role, disabled_at) on staff to broadside_operator;
grant select, insert (staff_id, asked_at), update (expires_at) on staff_links to broadside_operator;
grant select, update (revoked_at) on passkeys to broadside_operator;
grant select, update (ended_at) on staff_sessions to broadside_operator;
grant select on desk_decisions to broadside_operator, broadside_reader;
grant select (id, role, invited_at, disabled_at) on staff to broadside_reader;
