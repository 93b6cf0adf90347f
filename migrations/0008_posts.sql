create domain post_id as text collate "C" check (value ~ '^post_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create type post_status as enum ('queued', 'review', 'published', 'rejected', 'removed', 'deleted');
create type edit_status as enum ('queued', 'review', 'accepted', 'rejected', 'cancelled');

create table posts (
  id post_id primary key,
  account_id account_id not null,   -- no foreign key: its check would lock the account's row at every submission; no role may delete an account
  kind text not null check (kind ~ '^[a-z]{2,20}$'),
  status post_status not null,
  content jsonb,                              -- what the author wrote; erased by deletion
  facets jsonb not null,                      -- what it can be found by, as its kind says
  paid_links text[] not null default '{}',    -- links whose surcharge was paid
  created_at timestamptz not null,
  decided_at timestamptz,
  published_at timestamptz,
  edited_at timestamptz,
  visible_until timestamptz,                  -- when an ad expires or an event ends
  listed boolean not null default false,      -- in lists, feeds and search
  model_failures smallint not null default 0, -- how often the model gave no answer
  constraint deleted_is_erased check ((status = 'deleted') = (content is null)),
  constraint listed_is_published check (not listed or status = 'published'),
  constraint public_has_a_date check (status not in ('published', 'removed') or published_at is not null)
);
create index posts_listed on posts (kind, published_at desc, id desc) where listed;
create index posts_listed_by_author on posts (account_id, kind, published_at desc, id desc) where listed;
create index posts_listed_by_facet on posts using gin (facets jsonb_path_ops) where listed;
-- Ranges that a rare few posts match. A kind whose ranges have no index of their own works all the same.
create index posts_listed_by_price on posts (kind, ((facets->>'price')::numeric)) where listed and facets ? 'price';
create index posts_listed_by_start on posts (kind, ((facets->>'starts_at')::numeric)) where listed and facets ? 'starts_at';
create statistics posts_price on ((facets->>'price')::numeric) from posts;
create statistics posts_start on ((facets->>'starts_at')::numeric) from posts;
create index posts_ending on posts (visible_until) where listed and visible_until is not null;
create index posts_queued on posts (created_at) where status = 'queued';
comment on table posts is 'One row for every post, of every kind. A deleted one stays as a tombstone.';

-- The table of moves. posts/lifecycle.ts has the same one, and a test holds them together.
create function keep_post_lifecycle() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status = 'queued' then return new; end if;
    raise exception 'a post begins as queued, not as %', new.status using errcode = 'check_violation', constraint = 'post_moves';
  end if;
  if (old.status, new.status) not in (
    ('queued', 'published'), ('queued', 'rejected'), ('queued', 'review'), ('queued', 'deleted'),
    ('review', 'published'), ('review', 'rejected'), ('review', 'deleted'),
    ('published', 'removed'), ('published', 'deleted'),
    ('removed', 'published'), ('removed', 'deleted'),
    ('rejected', 'deleted')
  ) then
    raise exception 'a post does not move from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'post_moves';
  end if;
  return new;
end $$;
create trigger keep_post_lifecycle_at_birth before insert on posts for each row execute function keep_post_lifecycle();
create trigger keep_post_lifecycle before update of status on posts
  for each row when (old.status is distinct from new.status) execute function keep_post_lifecycle();

-- A change to a published post, which stays up as it is until the change is accepted.
create table post_edits (
  post_id post_id not null references posts,
  number smallint not null check (number > 0),
  status edit_status not null,
  content jsonb,                              -- the whole new content; erased when the edit is over
  facets jsonb not null,
  links text[] not null default '{}',         -- links that this edit pays for
  submitted_at timestamptz not null,
  decided_at timestamptz,
  model_failures smallint not null default 0,
  primary key (post_id, number),
  constraint over_is_erased check (status in ('queued', 'review') or content is null)
);
create unique index one_edit_at_a_time on post_edits (post_id) where status in ('queued', 'review');
create index post_edits_queued on post_edits (submitted_at) where status = 'queued';

create function keep_edit_lifecycle() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status = 'queued' then return new; end if;
    raise exception 'an edit begins as queued, not as %', new.status using errcode = 'check_violation', constraint = 'edit_moves';
  end if;
  if (old.status, new.status) not in (
    ('queued', 'accepted'), ('queued', 'rejected'), ('queued', 'review'), ('queued', 'cancelled'),
    ('review', 'accepted'), ('review', 'rejected'), ('review', 'cancelled')
  ) then
    raise exception 'an edit does not move from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'edit_moves';
  end if;
  return new;
end $$;
create trigger keep_edit_lifecycle_at_birth before insert on post_edits for each row execute function keep_edit_lifecycle();
create trigger keep_edit_lifecycle before update of status on post_edits
  for each row when (old.status is distinct from new.status) execute function keep_edit_lifecycle();

-- What recent posts resemble: MinHash bands, so that one index lookup finds near-duplicates however many posts there are.
create table post_signatures (
  post_id post_id not null,
  edit smallint not null default 0,           -- an edit that waits has one beside its post's
  account_id account_id not null,
  words integer not null,
  bands integer[] not null,
  minhash integer[] not null,
  created_at timestamptz not null,
  primary key (post_id, edit)
);
-- Without fastupdate: a lookup follows every insert, and would read the whole list of pending entries each time.
create index post_signatures_by_band on post_signatures using gin (bands) with (fastupdate = off);
create index post_signatures_by_time on post_signatures (created_at);

-- The planner takes such a condition for a common one and would read the whole table: here only the index of bands is
-- left to it. The most alike come first, so that a bulk sender's many variants do not hide a copy.
create function sharing_a_band(wanted integer[], since timestamptz) returns setof post_signatures
language plpgsql stable rows 5 set enable_seqscan = off set enable_indexscan = off as $$
begin
  return query select * from post_signatures near
    where bands && wanted and created_at > since
    order by (select count(*) from unnest(near.bands) band where band = any (wanted)) desc, created_at desc
    limit 50;
end $$;
revoke execute on function sharing_a_band from public;

-- What each role may make of a post. Not by row-level security: under it PostgreSQL may not use the statistics of facets
-- for an account that is not the owner, and a list by a rare topic would read every post.
create function keep_post_rights() returns trigger language plpgsql as $$
begin
  if (current_user = 'broadside_api') <> (new.status = 'deleted') and current_user <> 'broadside_migrator' then
    raise exception 'the role % may not make a post %', current_user, new.status using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_post_rights before update on posts for each row execute function keep_post_rights();

alter table post_edits enable row level security;
create policy everyone_reads on post_edits for select using (true);
create policy api_submits on post_edits for insert to broadside_api with check (status = 'queued');
create policy api_cancels on post_edits for update to broadside_api using (true) with check (status = 'cancelled');
create policy worker_decides on post_edits for update to broadside_worker using (true) with check (true);
create policy operator_decides on post_edits for update to broadside_operator using (true) with check (true);

-- What an edit changes is held by the post's row, which the API may lock and not change: for that it asks this function.
create function lock_post(id post_id) returns setof posts
language sql security definer set search_path = public, pg_temp as $$
  select * from posts where posts.id = lock_post.id for no key update
$$;
revoke execute on function lock_post from public;

grant select on posts, post_edits, post_signatures to broadside_api, broadside_worker, broadside_operator, broadside_reader;
grant insert (id, account_id, kind, status, content, facets, paid_links, created_at) on posts to broadside_api;
grant update (status, content, facets, paid_links, listed) on posts to broadside_api;
grant insert (post_id, number, status, content, facets, links, submitted_at) on post_edits to broadside_api;
grant update (status, content, facets, links) on post_edits to broadside_api;
grant insert, update, delete on post_signatures to broadside_api;
grant execute on function sharing_a_band to broadside_api;
grant execute on function lock_post to broadside_api, broadside_worker, broadside_operator;
grant update (status, content, facets, paid_links, decided_at, published_at, edited_at, visible_until, listed, model_failures)
  on posts to broadside_worker, broadside_operator;
grant update (status, content, facets, links, decided_at, model_failures) on post_edits to broadside_worker, broadside_operator;
grant delete on post_signatures to broadside_operator;
grant delete, update (created_at) on post_signatures to broadside_worker;   -- update: what `for update skip locked` asks for
