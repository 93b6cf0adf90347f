-- works with: 0040
-- Lists a post without reading the entries of others. In a function, every text parameter gets the collation of its
-- identifiers, which is "C"; the columns `kind` have the default one, so no index with `kind` in front could be searched by it.
-- With 3 million posts, each new one read 480,000 entries of the archive, and those of a site do this one after the other.
create or replace function shelve_post(
  the_post post_id, the_kind text, was_published_at timestamptz, will_end_at timestamptz, is_listed boolean, paths text[],
  the_time timestamptz, page_size integer,
  out touched text[], out archive_month text, out archive_number integer, out is_new boolean, out pages text[]
) language plpgsql as $$
declare
  own_kind text collate "default" := the_kind;
  entry record;
  page integer;
  was_listed integer;
  now_listed integer;
begin
  pages := '{}';
  touched := '{}';
  for entry in
    with
      given as (select distinct path collate "C" as path from unnest(paths) as path),
      old as (select e.path, e.listed, e.number from shelf_entries e where e.post_id = the_post),
      gone as (
        delete from shelf_entries e where e.post_id = the_post and not exists (select from given where given.path = e.path)
      ),
      change as (
        select coalesce(given.path, old.path) as path, old.number,
          -- An older program leaves entries without a number.
          (given.path is not null and old.number is null)::int as joins,
          (given.path is not null and is_listed)::int - coalesce(old.listed, false)::int as listed,
          (given.path is not null)::int - (old.path is not null)::int as standing
        from given full join old on old.path = given.path
      ),
      counted as (
        insert into shelves as s (kind, path, listed, standing, version, last_number)
        -- For a list that is new; the row to be inserted must keep the checks even where another takes its place.
        select own_kind, change.path, greatest(change.listed, 0), greatest(change.listed, change.standing, 0),
          nextval('page_versions'), change.joins
        from change order by change.path
        on conflict (kind, path) do update set
          listed = s.listed + (select change.listed from change where change.path = s.path),
          standing = s.standing + (select change.standing from change where change.path = s.path),
          version = excluded.version,
          last_number = s.last_number + excluded.last_number,
          emptied_at = case when s.standing + (select change.standing from change where change.path = s.path) = 0 then the_time end
        returning s.path, s.last_number
      ),
      kept as (
        insert into shelf_entries as e (post_id, path, kind, published_at, ends_at, listed, number)
        select the_post, given.path, own_kind, was_published_at, will_end_at, is_listed, counted.last_number
        from given join counted on counted.path = given.path
        on conflict (post_id, path) do update set
          ends_at = excluded.ends_at, listed = excluded.listed, number = coalesce(e.number, excluded.number)
      )
    select change.path, coalesce(change.number, counted.last_number) as number, counted.last_number
    from change join counted on counted.path = change.path order by change.path
  loop
    touched := touched || entry.path;
    page := (entry.number - 1) / page_size + 1;
    -- A page appears when it is full. The front page has the archive instead.
    continue when entry.path = '' or page * page_size > entry.last_number or entry.last_number = 0;
    select listed from listing_pages p where p.kind = own_kind and p.path = entry.path and p.number = page into was_listed;
    select count(*) from shelf_entries e where e.kind = own_kind and e.path = entry.path and e.listed
      and e.number between (page - 1) * page_size + 1 and page * page_size into now_listed;
    insert into listing_pages as p (kind, path, number, listed, version, changed_at)
      values (own_kind, entry.path, page, now_listed, nextval('page_versions'), the_time)
      on conflict (kind, path, number) do update set
        listed = excluded.listed, version = excluded.version, changed_at = excluded.changed_at;
    pages := pages || (entry.path || '/' || page);
    -- The neighbours link to a page only while it has posts.
    if was_listed is null or (was_listed = 0) <> (now_listed = 0) then
      pages := pages || array(
        (select p.path || '/' || p.number from listing_pages p
          where p.kind = own_kind and p.path = entry.path and p.number < page and p.listed > 0 order by p.number desc limit 1)
        union all
        (select p.path || '/' || p.number from listing_pages p
          where p.kind = own_kind and p.path = entry.path and p.number > page and p.listed > 0 order by p.number limit 1));
    end if;
  end loop;

  update publications set version = nextval('page_versions') where post_id = the_post
    returning month, number into archive_month, archive_number;
  is_new := not found;
  if is_new then
    archive_month := to_char(was_published_at at time zone 'UTC', 'YYYY-MM');
    perform pg_advisory_xact_lock(hashtextextended('archive ' || own_kind || ' ' || archive_month, 0));
    select coalesce(max(number), 0) + 1 from publications where kind = own_kind and month = archive_month into archive_number;
    insert into publications (post_id, kind, month, number, version)
      values (the_post, own_kind, archive_month, archive_number, nextval('page_versions'));
  end if;
end $$;
