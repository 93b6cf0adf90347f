-- works with: 0040

-- A post that must wait: for the owner's approval, for its time, or for both. It costs nothing until a worker submits it,
-- and only its account and its owner can see it. See decisions/0081.
create domain draft_id as text collate "C" check (value ~ '^draft_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create type draft_state as enum (
  'awaiting_approval', 'scheduled', 'submitted', 'declined', 'failed', 'expired', 'cancelled');

create table drafts (
  id draft_id primary key,
  account_id account_id not null,
  key_id key_id not null,                        -- the key that sent it, whose cap applies
  kind text not null check (kind ~ '^[a-z]{2,20}$'),
  content jsonb,                                 -- what the agent wrote; erased when the draft ends, unless it failed
  total_micros micros not null check (total_micros > 0),
  state draft_state not null,
  publish_at timestamptz,                        -- null: as soon as it is approved
  approved_at timestamptz,                       -- null if it needs no approval, or has none yet
  expires_at timestamptz,                        -- when it expires without approval; null if it needs none
  told_at timestamptz,                           -- when the owner was emailed about it
  post_id post_id unique,
  problem jsonb,                                 -- why it failed
  created_at timestamptz not null,
  decided_at timestamptz,                        -- when it ended
  constraint open_has_text check (state not in ('awaiting_approval', 'scheduled') or content is not null),
  constraint ended_is_erased check (state in ('awaiting_approval', 'scheduled', 'failed') or content is null),
  constraint ended_has_a_date check ((state in ('awaiting_approval', 'scheduled')) = (decided_at is null)),
  constraint submitted_has_a_post check ((state = 'submitted') = (post_id is not null)),
  constraint failed_has_a_problem check ((state = 'failed') = (problem is not null)),
  constraint scheduled_has_a_time check (state <> 'scheduled' or coalesce(publish_at, approved_at) is not null),
  constraint approval_can_expire check (state <> 'awaiting_approval' or expires_at is not null)
);
comment on table drafts is 'Posts that wait for the owner or for their time. The text goes when the draft ends.';
create index drafts_by_account on drafts (account_id, id);
create index drafts_open on drafts (account_id) where state in ('awaiting_approval', 'scheduled');
create index drafts_due on drafts (coalesce(publish_at, approved_at)) where state = 'scheduled';
create index drafts_expiring on drafts (expires_at) where state = 'awaiting_approval';
create index drafts_to_tell on drafts (account_id) where state = 'awaiting_approval' and told_at is null;
create index drafts_told on drafts (account_id, told_at) where told_at is not null;
create index drafts_ended_by_account on drafts (account_id, decided_at desc, id desc) where decided_at is not null;
create index drafts_ended on drafts (decided_at) where decided_at is not null;

-- The table of moves, and who may make them. drafts/draft-states.ts has the same one, and a test compares them.
create function keep_draft_lifecycle() returns trigger language plpgsql as $$
declare
  may boolean := case current_user
    when 'broadside_api' then new.state = 'cancelled'
    when 'broadside_owner_page' then new.state in ('scheduled', 'declined')
    when 'broadside_worker' then new.state in ('submitted', 'failed', 'expired')
    else current_user = 'broadside_migrator'
  end;
begin
  if tg_op = 'INSERT' then
    if new.state in ('awaiting_approval', 'scheduled') then return new; end if;
    raise exception 'a draft does not begin as %', new.state using errcode = 'check_violation', constraint = 'draft_moves';
  end if;
  if (old.state, new.state) not in (
    ('awaiting_approval', 'scheduled'), ('awaiting_approval', 'declined'), ('awaiting_approval', 'expired'),
    ('awaiting_approval', 'cancelled'),
    ('scheduled', 'submitted'), ('scheduled', 'failed'), ('scheduled', 'declined'), ('scheduled', 'cancelled')
  ) then
    raise exception 'a draft does not move from % to %', old.state, new.state
      using errcode = 'check_violation', constraint = 'draft_moves';
  end if;
  if not may then
    raise exception 'the role % may not make a draft %', current_user, new.state using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_draft_lifecycle_at_birth before insert on drafts
  for each row execute function keep_draft_lifecycle();
create trigger keep_draft_lifecycle before update of state on drafts
  for each row when (old.state is distinct from new.state) execute function keep_draft_lifecycle();

grant select on drafts to broadside_api, broadside_owner_page, broadside_worker;
grant insert (id, account_id, key_id, kind, content, total_micros, state, publish_at, expires_at, created_at)
  on drafts to broadside_api;
grant update (state, content, decided_at) on drafts to broadside_api;
grant update (state, content, approved_at, decided_at) on drafts to broadside_owner_page;
grant update (state, content, post_id, problem, told_at, decided_at), delete on drafts to broadside_worker;
grant select (id, account_id, key_id, kind, total_micros, state, publish_at, approved_at, expires_at, told_at, post_id,
    problem, created_at, decided_at)
  on drafts to broadside_operator, broadside_reader;

-- A link in an email to the owner, which opens the page that decides on drafts and nothing else.
create table draft_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id account_id not null,
  created_at timestamptz not null,               -- a link from before the owner's address changed no longer works
  expires_at timestamptz not null
);
create index draft_links_by_account on draft_links (account_id);
create index draft_links_expiring on draft_links (expires_at);
grant select, insert, delete on draft_links to broadside_worker;
grant select on draft_links to broadside_owner_page;

-- The worker submits drafts: it may insert a post and charge for it, but only for a draft that it has just submitted.
create function keep_worker_to_drafts() returns trigger language plpgsql as $$
begin
  if not exists (
    select from drafts
    where post_id = new.id and account_id = new.account_id and kind = new.kind and state = 'submitted'
  ) then
    raise exception 'the worker submits no post without its draft' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_worker_to_drafts before insert on posts
  for each row when (current_user = 'broadside_worker') execute function keep_worker_to_drafts();
create policy worker_submits_drafts on ledger_transfers for insert to broadside_worker with check (
  reason = 'post' and from_book = 'prepaid' and to_book = 'revenue' and exists (
    select from drafts
    where drafts.post_id = ledger_transfers.subject and drafts.account_id = ledger_transfers.account_id
      and drafts.key_id = ledger_transfers.key_id and drafts.total_micros = ledger_transfers.amount_micros
      and drafts.state = 'submitted'
  )
);
grant insert (id, account_id, kind, status, content, facets, paid_links, created_at) on posts to broadside_worker;
grant insert (post_id, account_id, words, bands, minhash, created_at) on post_signatures to broadside_worker;
grant execute on function sharing_a_band to broadside_worker;
grant select (revoked_at, daily_cap_micros) on api_keys to broadside_worker;

-- The owner page announces that the owner has declined a draft, and nothing else.
create function keep_owner_events() returns trigger language plpgsql as $$
begin
  if new.type <> 'draft.declined' or not exists (
    select from drafts
    where id = new.data->>'id' and account_id = new.account_id and state = 'declined' and decided_at = new.at
  ) then
    raise exception 'the owner page may not announce %', new.type using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_owner_events before insert on events
  for each row when (current_user = 'broadside_owner_page') execute function keep_owner_events();
grant insert on events to broadside_owner_page;
grant select, insert, update on event_positions to broadside_owner_page;

-- A closed account has no drafts.
create function forget_drafts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from drafts where account_id = new.id;
  delete from draft_links where account_id = new.id;
  return null;
end $$;
revoke execute on function forget_drafts from public;
create trigger forget_drafts after update of standing on accounts
  for each row when (old.standing <> 'closed' and new.standing = 'closed') execute function forget_drafts();

-- A draft that was declined or cancelled must not come back with a restored backup: it would be published.
alter table erasures drop constraint erasures_kind_check;
alter table erasures add constraint erasures_kind_check check (kind in (
  'account.closed', 'post.deleted', 'post.removed', 'post.restored', 'webhook.deleted', 'key.revoked', 'staff.disabled',
  'passkey.revoked', 'draft.withdrawn')) not valid;
create trigger note_erasure after update of state on drafts
  for each row when (old.state <> new.state and new.state in ('declined', 'cancelled'))
  execute function note_erasure('draft.withdrawn');
