-- Where published posts stand on the pages: which lists, which archive page. All of it derives from posts, and is kept
-- by the worker that writes the pages, so that a page is read by a few index look-ups whatever the archive's size.

-- Counts changes of anything that a page shows, so that a rebuild can tell what changed while it ran.
create sequence page_versions;

-- One row for every post that was ever public. A number is given once: a post that is taken down leaves a gap, so that
-- a full archive page keeps its posts.
create table publications (
  post_id post_id primary key,
  kind text not null,
  month text collate "C" not null check (month ~ '^\d{4}-\d{2}$'),  -- of the publication, in UTC
  number integer not null check (number > 0),                       -- within kind and month, from the oldest
  version bigint not null,
  unique (kind, month, number)
);
create index publications_changed on publications (kind, version);
comment on table publications is 'The place of every post in the archive of its site.';

-- The front page (path ''), each topic and each place.
create table shelves (
  kind text not null,
  path text collate "C" not null,
  parent text collate "C" not null generated always as (regexp_replace(path, '/?[^/]*$', '')) stored,
  listed integer not null check (listed >= 0),
  standing integer not null check (standing >= listed),             -- those listed, and those that expired or ended
  version bigint not null,
  emptied_at timestamptz,                                            -- since when nothing stands there
  primary key (kind, path)
) with (fillfactor = 50);                                            -- the front page's row changes with every post
create index shelves_by_size on shelves (kind, parent, listed desc, path) where listed > 0;
create index shelves_emptied on shelves (emptied_at) where emptied_at is not null;
comment on table shelves is 'The lists of each site, and how many posts stand in them.';

create table shelf_entries (
  post_id post_id not null,
  path text collate "C" not null,
  kind text not null,
  published_at timestamptz not null,
  ends_at timestamptz,                                               -- of what takes place at a time
  listed boolean not null,
  primary key (post_id, path)
);
create index shelf_entries_newest on shelf_entries (kind, path, published_at desc, post_id desc) where listed;
create index shelf_entries_soonest on shelf_entries (kind, path, ends_at, post_id) where listed and ends_at is not null;
comment on table shelf_entries is 'Which published post stands in which list.';

-- What was taken down lately, for mirrors and calendars. Written with the act itself, while the post can still be read.
create table withdrawals (
  post_id post_id primary key,
  kind text not null,
  withdrawn_at timestamptz not null,
  shelves text[] not null,
  occasion jsonb                                                     -- the time it would have taken place; no text
);
create index withdrawals_newest on withdrawals (kind, withdrawn_at desc, post_id desc);
create index withdrawals_by_shelf on withdrawals using gin (shelves) where occasion is not null;
create index withdrawals_by_time on withdrawals (withdrawn_at);
comment on table withdrawals is 'Posts taken down in the last 30 days. Older rows are forgotten.';

-- Puts a post into exactly these lists, keeps their counts, and gives it a place in the archive if it has none.
-- Lists are taken in the order of their names, so that two posts never wait for one another.
create function shelve_post(
  the_post post_id, the_kind text, was_published_at timestamptz, will_end_at timestamptz, is_listed boolean,
  paths text[], the_time timestamptz,
  out touched text[], out archive_month text, out archive_number integer, out is_new boolean
) language plpgsql as $$
begin
  with
    given as (select distinct path collate "C" as path from unnest(paths) as path),
    old as (select e.path, e.listed from shelf_entries e where e.post_id = the_post),
    gone as (
      delete from shelf_entries e where e.post_id = the_post and not exists (select from given where given.path = e.path)
    ),
    kept as (
      insert into shelf_entries as e (post_id, path, kind, published_at, ends_at, listed)
      select the_post, given.path, the_kind, was_published_at, will_end_at, is_listed from given
      on conflict (post_id, path) do update set ends_at = excluded.ends_at, listed = excluded.listed
    ),
    change as (
      select coalesce(given.path, old.path) as path,
        (given.path is not null and is_listed)::int - coalesce(old.listed, false)::int as listed,
        (given.path is not null)::int - (old.path is not null)::int as standing
      from given full join old on old.path = given.path
    ),
    counted as (
      insert into shelves as s (kind, path, listed, standing, version)
      -- For a list that is new; the row to be inserted must keep the checks even where another takes its place.
      select the_kind, change.path, greatest(change.listed, 0), greatest(change.listed, change.standing, 0),
        nextval('page_versions')
      from change order by change.path
      on conflict (kind, path) do update set
        listed = s.listed + (select change.listed from change where change.path = s.path),
        standing = s.standing + (select change.standing from change where change.path = s.path),
        version = excluded.version,
        emptied_at = case when s.standing + (select change.standing from change where change.path = s.path) = 0 then the_time end
    )
  select coalesce(array_agg(change.path order by change.path), '{}') from change into touched;

  update publications set version = nextval('page_versions') where post_id = the_post
    returning month, number into archive_month, archive_number;
  is_new := not found;
  if is_new then
    archive_month := to_char(was_published_at at time zone 'UTC', 'YYYY-MM');
    perform pg_advisory_xact_lock(hashtextextended('archive ' || the_kind || ' ' || archive_month, 0));
    select coalesce(max(number), 0) + 1 from publications where kind = the_kind and month = archive_month into archive_number;
    insert into publications (post_id, kind, month, number, version)
      values (the_post, the_kind, archive_month, archive_number, nextval('page_versions'));
  end if;
end $$;
revoke execute on function shelve_post from public;

grant execute on function shelve_post to broadside_worker;
grant usage, select on sequence page_versions to broadside_worker;
grant select, insert, update on publications to broadside_worker;
grant select, insert, update, delete on shelves, shelf_entries to broadside_worker;
grant select, insert, delete on withdrawals to broadside_worker, broadside_operator;
grant insert on withdrawals to broadside_api;
grant select on publications, shelves, shelf_entries, withdrawals to broadside_reader;
