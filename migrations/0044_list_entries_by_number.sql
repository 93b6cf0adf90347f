-- works with: 0040
-- transaction: none
-- Numbers the entries that exist. A program that is older lists posts without numbers; the next rebuild adds them.
update shelf_entries set number = numbered.number from (
  select post_id, path, row_number() over (partition by kind, path order by published_at, post_id) as number from shelf_entries
) numbered
where shelf_entries.post_id = numbered.post_id and shelf_entries.path = numbered.path and shelf_entries.number is null;

-- A page of a list reads its twenty entries by their numbers, and the first page the newest ones.
create index concurrently shelf_entries_by_number on shelf_entries (kind, path, number desc) where listed;
-- An author's page counts the removed posts.
create index concurrently posts_removed on posts (account_id) where status = 'removed';
