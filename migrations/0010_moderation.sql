create domain event_id as text collate "C" check (value ~ '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create type decision_outcome as enum ('publish', 'low_quality', 'abuse', 'review', 'remove', 'restore');

-- Every decision on a post, in the words that its author is told: the statement of reasons.
create table moderation_decisions (
  id bigint primary key generated always as identity,
  post_id post_id not null references posts,
  edit smallint not null default 0,           -- 0: the post itself
  outcome decision_outcome not null,
  category text,
  reason text,                                -- a fixed text of the policy, never a model's or a person's free words
  automated boolean not null,
  actor text not null,                        -- 'model:<name>', 'system:<cause>', 'operator:<login name>'
  policy_version text not null,
  model text,
  model_version text,
  scores jsonb not null default '{}',
  decided_at timestamptz not null
);
create index moderation_decisions_by_post on moderation_decisions (post_id, id);
create unique index decided_by_machine_once on moderation_decisions (post_id, edit) where automated;
comment on table moderation_decisions is 'Append-only.';

create table appeals (
  post_id post_id not null references posts,
  edit smallint not null default 0,               -- 0: the post itself
  account_id account_id not null,
  message text,                                   -- erased with the post
  submitted_at timestamptz not null,
  outcome text check (outcome in ('upheld', 'dismissed')),
  decided_at timestamptz,
  constraint appealed_once primary key (post_id, edit)
);
create index appeals_open on appeals (submitted_at) where outcome is null;

-- What happened to an account's posts, in order. Polling and webhooks read the same log.
create table events (
  id event_id primary key,
  account_id account_id not null,
  position bigint not null,
  type text not null,
  post_id post_id,
  data jsonb not null,                            -- thin: no user text
  at timestamptz not null,
  constraint events_in_order unique (account_id, position)
);
-- Positions are given out under a lock that lasts to the commit: whoever reads up to one has missed none before it.
create table event_positions (
  account_id account_id primary key,
  last bigint not null
) with (fillfactor = 50);

-- One row: whether the model runs, and what was measured of it.
create type model_state as enum ('idle', 'starting', 'running');
create table model_status (
  only_row boolean primary key default true check (only_row),
  state model_state not null,
  since timestamptz not null,
  busy_at timestamptz not null,                   -- when something last waited or was decided
  faults integer not null default 0,              -- calls in a row that brought no answer, as the workers report them
  planned_start_seconds double precision not null, -- how long a start takes as the controller's settings say
  start_seconds double precision,                 -- how long a start takes; null until one was seen
  decisions_per_second double precision,          -- while posts wait; null until measured
  decision_seconds double precision               -- one post's time with the model; null until measured
);
insert into model_status (state, since, busy_at, planned_start_seconds) values ('idle', 'epoch', 'epoch', 1200);

-- A ban that strikes brought ends when an upheld appeal takes a strike back; an operator's does not.
alter table accounts add column banned_for_strikes boolean not null default false;
create index accounts_asked_to_delete on accounts (deletion_requested_at) where deletion_requested_at is not null;
grant update (banned_for_strikes) on accounts to broadside_operator;
grant select on accounts to broadside_worker;
grant update (deletion_requested_at) on accounts to broadside_worker;

-- The only way in which a decision touches an account's standing.
create function add_strike(account account_id, to_ban integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  update accounts set
    strikes = strikes + 1,
    banned_for_strikes = banned_for_strikes or (strikes + 1 >= to_ban and standing = 'good'),
    standing = case when strikes + 1 >= to_ban and standing = 'good' then 'banned' else standing end
  where id = account
$$;
create function take_strike_back(account account_id, to_ban integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  update accounts set
    strikes = strikes - 1,
    standing = case when banned_for_strikes and strikes - 1 < to_ban and standing = 'banned' then 'good' else standing end,
    banned_for_strikes = banned_for_strikes and strikes - 1 >= to_ban
  where id = account and strikes > 0
$$;
revoke execute on function add_strike, take_strike_back from public;
grant execute on function add_strike to broadside_worker, broadside_operator;
grant execute on function take_strike_back to broadside_operator;

alter table moderation_decisions enable row level security;
create policy everyone_reads on moderation_decisions for select using (true);
create policy worker_signs on moderation_decisions for insert to broadside_worker
  with check (automated and (actor like 'model:%' or actor like 'system:%'));
create policy operator_signs on moderation_decisions for insert to broadside_operator
  with check (not automated and actor like 'operator:%');

-- An appeal is its author's: nobody files one for another, and the API changes it only to erase it with its post.
alter table appeals enable row level security;
create policy everyone_reads on appeals for select using (true);
create policy api_files on appeals for insert to broadside_api
  with check (exists (select from posts where posts.id = post_id and posts.account_id = appeals.account_id));
create policy api_erases on appeals for update to broadside_api using (true) with check (message is null);
create policy operator_decides on appeals for update to broadside_operator using (true) with check (true);

grant select on moderation_decisions, appeals, events, event_positions, model_status
  to broadside_api, broadside_worker, broadside_operator, broadside_reader;
grant insert on moderation_decisions to broadside_worker, broadside_operator;
grant insert (post_id, account_id, edit, message, submitted_at) on appeals to broadside_api;
grant update (message) on appeals to broadside_api;
grant update (outcome, decided_at) on appeals to broadside_operator;
grant insert on events to broadside_worker, broadside_operator;
grant insert, update on event_positions to broadside_worker, broadside_operator;
grant update on model_status to broadside_worker;
