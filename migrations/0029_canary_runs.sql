-- Once a day texts that must never be published are judged as posts are. What came of it; nothing of them becomes a post.
create table canary_runs (
  id bigint primary key generated always as identity,
  day date not null,                              -- in UTC
  judged integer not null check (judged >= 0),
  not_judged integer not null check (not_judged >= 0),   -- the model gave no answer to these
  published integer not null check (published between 0 and judged),
  published_ids text[] not null check (cardinality(published_ids) = published),
  at timestamptz not null
);
comment on table canary_runs is 'Append-only. The newest run says how things are.';

grant select, insert on canary_runs to broadside_worker, broadside_operator;
grant select on canary_runs to broadside_desk, broadside_reader;
