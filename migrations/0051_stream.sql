-- works with: 0040

-- What readers of GET /v1/stream are told, in order: references to posts that became public, changed or were taken down.
-- It has no text: the post is rendered when an entry is read. See decisions/0082.
create table stream_entries (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z]{2,20}$'),
  post_id post_id not null,
  type text not null check (type in ('post.published', 'post.edited', 'post.removed')),
  position bigint unique check (position > 0),   -- null until number_stream_entries has seen the committed row
  token integer,                                 -- random: tells two entries with one position apart, after a failover
  numbered_at timestamptz,
  constraint numbered_as_a_whole check ((position is null) = (token is null) and (position is null) = (numbered_at is null))
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on table stream_entries is 'The log of GET /v1/stream: which public post appeared, changed or went, for a day.';
create index stream_entries_unnumbered on stream_entries (id) where position is null;
create index stream_entries_by_kind on stream_entries (kind, position) where position is not null;
create index stream_entries_by_age on stream_entries (numbered_at, position) where numbered_at is not null;

-- A post cannot become public, change or go without its entry, whoever does it.
create function note_public_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stream_entries (kind, post_id, type) values (
    new.kind,
    new.id,
    case
      when new.status <> 'published' then 'post.removed'
      when old.status <> 'published' then 'post.published'
      else 'post.edited'
    end);
  return null;
end $$;
create trigger note_public_change after update of status, content, edited_at on posts
  for each row when (
    (old.status = 'published') <> (new.status = 'published')
    or (new.status = 'published' and (old.edited_at, old.content) is distinct from (new.edited_at, new.content)))
  execute function note_public_change();

-- The author of a public post has closed the account: the post no longer shows who wrote it.
create function note_author_gone(post post_id) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into stream_entries (kind, post_id, type) select kind, id, 'post.edited' from posts where id = post and status = 'published'
$$;

-- Gives committed entries their positions, without gaps. Only one call at a time does so, and it ends with its own
-- statement: positions become visible in order, and no transaction that publishes waits for another. Call it outside of
-- any transaction.
create function number_stream_entries(at timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last_position bigint;
  last_time timestamptz;
  numbered integer;
begin
  if not exists (select from stream_entries where position is null) then return 0; end if;
  perform pg_advisory_xact_lock(hashtextextended('number_stream_entries', 0));
  select position, numbered_at into last_position, last_time
    from stream_entries where position is not null order by position desc limit 1;
  with unnumbered as (
    select id, row_number() over (order by id) as place
    from (select id from stream_entries where position is null order by id limit 1000) first_ones
  )
  update stream_entries entry
  set position = coalesce(last_position, 0) + place,
    token = floor(random() * 2147483647)::integer,
    numbered_at = greatest(number_stream_entries.at, last_time)
  from unnumbered where entry.id = unnumbered.id;
  get diagnostics numbered = row_count;
  return numbered;
end $$;
revoke execute on function note_public_change, note_author_gone, number_stream_entries from public;

grant select on stream_entries to broadside_api, broadside_worker, broadside_operator, broadside_reader;
grant delete on stream_entries to broadside_worker;
-- When a post was taken down.
grant select (post_id, withdrawn_at) on withdrawals to broadside_api;
grant execute on function note_author_gone to broadside_worker;
grant execute on function number_stream_entries to broadside_api, broadside_worker;
