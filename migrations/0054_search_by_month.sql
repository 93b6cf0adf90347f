-- works with: 0040

-- What search looks through, divided by month. The previous release writes to search_entries, which becomes the partition
-- of all times: nothing is copied, and the lock lasts milliseconds. `broadside database partitions --divide` moves its rows
-- into months after the deploy. See decisions/0092.
create table searchable_posts (
  post_id post_id not null,
  published_at timestamptz not null,
  visible_until timestamptz,
  facets text[] not null,                 -- what a search can be narrowed by: kind=event, topics=ferries, country=PT
  language text,                          -- whose endings were taken off the words, if it is known
  words tsvector not null,
  pairs integer[] not null                -- which words stand side by side, for phrases
) partition by range (published_at);
comment on table searchable_posts is 'One row for each post that can be found by search, in partitions by month.';
alter table searchable_posts alter column words set statistics 1000, alter column facets set statistics 1000;
-- A post has one time of publication, so this is one entry for each post.
create unique index searchable_posts_by_post on searchable_posts (post_id, published_at);
create index searchable_posts_by_word on searchable_posts using gin (facets, words, pairs) with (fastupdate = off);
create index searchable_posts_by_time on searchable_posts (published_at desc, post_id desc);
alter table searchable_posts attach partition search_entries for values from (minvalue) to (maxvalue);

grant select on searchable_posts to broadside_api, broadside_worker, broadside_operator, broadside_reader;
grant insert, update, delete on searchable_posts to broadside_worker, broadside_operator;

-- Names the partition, so that only one of them is read.
create or replace function leave_search() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from searchable_posts where post_id = old.id and published_at = old.published_at;
  return null;
end $$;

-- The partitions with their bounds; null for an open one.
create view search_partitions as
select part.relname::text as name,
  (regexp_match(bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz as starts_at,
  (regexp_match(bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz as ends_at,
  greatest(part.reltuples, 0)::float8 as entries
from pg_inherits join pg_class part on part.oid = inhrelid,
  lateral pg_get_expr(part.relpartbound, part.oid) as bound
where inhparent = 'public.searchable_posts'::regclass;
comment on view search_partitions is 'The partitions of searchable_posts: their bounds, and how many entries PostgreSQL estimates.';
grant select on search_partitions to broadside_api, broadside_worker, broadside_operator, broadside_reader;

-- How common words and facets are in the newest partitions, up to 500,000 entries. No role can read a partition itself, and
-- PostgreSQL shows its statistics only to roles that can.
create function search_shares() returns table (of_column text, element text, share float8)
language sql stable security definer set search_path = public, pg_temp as $$
  with newest as (
    select name, entries, sum(entries) over (order by starts_at desc nulls last) - entries as newer from search_partitions
  ), used as (select name, entries from newest where newer < 500000 and entries > 0)
  select attname::text, common.element, sum(common.frequency * entries) / (select sum(entries) from used)
  from used join pg_stats on schemaname = 'public' and tablename = used.name and attname in ('words', 'facets'),
    unnest(most_common_elems::text::text[], most_common_elem_freqs) as common (element, frequency)
  where common.element is not null
  group by 1, 2
$$;

-- Adds months after the last one, until `through` is covered. Attaching locks no reader or writer of the other partitions.
create function add_search_months(through timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  month_start timestamptz;
  month_name text;
  added integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('add_search_months', 0));
  if exists (select from search_partitions where ends_at is null) then return 0; end if;
  select max(ends_at) into month_start from search_partitions;
  while month_start <= through and added < 120 loop
    month_name := 'searchable_posts_' || to_char(month_start, 'YYYY_MM');
    execute format('create table %I (like searchable_posts)', month_name);
    execute format('alter table %I alter column words set statistics 1000, alter column facets set statistics 1000', month_name);
    execute format('alter table searchable_posts attach partition %I for values from (%L) to (%L)',
      month_name, month_start, month_start + interval '1 month');
    month_start := month_start + interval '1 month';
    added := added + 1;
  end loop;
  return added;
end $$;

-- While months are copied from search_entries, they follow what changes there. Only the trigger that exists meanwhile calls it.
create function follow_search_entries() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    delete from search_months where post_id = old.post_id and published_at = old.published_at;
  end if;
  if tg_op <> 'DELETE' then insert into search_months select new.*; end if;
  return null;
end $$;
revoke execute on function search_shares, add_search_months, follow_search_entries from public;
grant execute on function search_shares to broadside_api, broadside_worker, broadside_operator, broadside_reader;
grant execute on function add_search_months to broadside_worker, broadside_operator;
