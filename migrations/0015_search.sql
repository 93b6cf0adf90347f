-- What search looks through: one row for each post that stands in the lists. The words are made by src/words/.
create table search_entries (
  post_id post_id primary key,
  published_at timestamptz not null,
  visible_until timestamptz,
  facets text[] not null,                 -- what a search can be narrowed by: kind=event, topics=ferries, country=PT
  language text,                          -- whose endings were taken off the words, if it is known
  words tsvector not null,
  pairs integer[] not null                -- which words stand side by side, for phrases
);
-- How common a word is decides the way that a search goes (src/search/choose-way.ts): this keeps the 10,000 commonest.
alter table search_entries alter column words set statistics 1000, alter column facets set statistics 1000;
-- Without fastupdate: a search would read the whole list of pending words each time.
create index search_entries_by_word on search_entries using gin (facets, words, pairs) with (fastupdate = off);
create index search_entries_by_time on search_entries (published_at desc, post_id desc);

-- Whoever takes a post out of the lists, or changes its text, takes it out of search, in the same statement.
create function leave_search() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from search_entries where post_id = old.id;
  return null;
end $$;
create trigger leave_search after update on posts for each row
  when (old.listed and (not new.listed or new.content is distinct from old.content)) execute function leave_search();

grant select on search_entries to broadside_api, broadside_worker, broadside_operator, broadside_reader;
grant insert, update, delete on search_entries to broadside_worker, broadside_operator;
