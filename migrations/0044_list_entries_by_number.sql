-- works with: 0040
-- transaction: none
-- Numbers the entries that exist, and adds the lists that are new. A program that is older lists posts without both; the
-- next rebuild adds what is missing.

-- By author, by category, by month and online: src/posts/listing-paths.ts and the kinds name them.
insert into shelf_entries (post_id, path, kind, published_at, ends_at, listed)
select front.post_id, 'by/' || posts.account_id, front.kind, front.published_at, front.ends_at, front.listed
from shelf_entries front join posts on posts.id = front.post_id join accounts on accounts.id = posts.account_id
where front.path = '' and accounts.standing <> 'closed'
union all
select front.post_id, 'categories/' || (posts.content->>'category'), front.kind, front.published_at, front.ends_at, front.listed
from shelf_entries front join posts on posts.id = front.post_id
where front.path = '' and front.kind = 'classified'
union all
select front.post_id, 'online', front.kind, front.published_at, front.ends_at, front.listed
from shelf_entries front join posts on posts.id = front.post_id
where front.path = '' and front.kind = 'event' and posts.content->'location' is null
union all
select front.post_id, 'months/' || to_char(month, 'YYYY-MM'), front.kind, front.published_at, front.ends_at, front.listed
from shelf_entries front join posts on posts.id = front.post_id,
  generate_series(date_trunc('month', left(posts.content->>'starts_at', 10)::date),
    date_trunc('month', left(posts.content->>'ends_at', 10)::date), interval '1 month') as month
where front.path = '' and front.kind = 'event'
on conflict do nothing;

update shelf_entries set number = numbered.number from (
  select post_id, path, row_number() over (partition by kind, path order by published_at, post_id) as number from shelf_entries
) numbered
where shelf_entries.post_id = numbered.post_id and shelf_entries.path = numbered.path and shelf_entries.number is null;

insert into shelves as s (kind, path, listed, standing, version, last_number)
select kind, path, count(*) filter (where listed), count(*), nextval('page_versions'), max(number)
from shelf_entries where number is not null group by kind, path
on conflict (kind, path) do update set last_number = greatest(s.last_number, excluded.last_number);

insert into listing_pages (kind, path, number, listed, version, changed_at)
select kind, path, (number - 1) / 20 + 1, count(*) filter (where listed), nextval('page_versions'), max(published_at)
from shelf_entries where path <> ''
group by kind, path, (number - 1) / 20 having max(number) = ((min(number) - 1) / 20 + 1) * 20
on conflict do nothing;

-- A page of a list reads its twenty entries by their numbers, and the first page the newest ones.
create index concurrently shelf_entries_by_number on shelf_entries (kind, path, number desc) where listed;
-- An author's page counts the removed posts.
create index concurrently posts_removed on posts (account_id) where status = 'removed';
