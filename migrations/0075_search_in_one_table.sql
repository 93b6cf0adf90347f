-- works with: 0075
-- Search looks through one table again. Divided by month, rare words and phrases were slower, and nobody divided it.
alter table searchable_posts detach partition search_entries;
drop view search_partitions cascade;
drop function add_search_months, follow_search_entries;
drop table searchable_posts;

-- Names the time too: the unique index has both.
create or replace function leave_search() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from search_entries where post_id = old.id and published_at = old.published_at;
  return null;
end $$;

-- How common words and facets are. PostgreSQL shows its statistics only to roles that can read the table.
create or replace function search_shares() returns table (of_column text, element text, share float8)
language sql stable security definer set search_path = public, pg_temp as $$
  select attname::text, common.element, common.frequency::float8
  from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as common (element, frequency)
  where schemaname = 'public' and tablename = 'search_entries' and attname in ('words', 'facets')
    and common.element is not null
$$;
