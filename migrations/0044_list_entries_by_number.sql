-- works with: 0040
-- transaction: none
-- A page of a list reads its twenty entries by their numbers, and the first page the newest ones.
create index concurrently shelf_entries_by_number on shelf_entries (kind, path, number desc) where listed;
-- An author's page counts the removed posts.
create index concurrently posts_removed on posts (account_id) where status = 'removed';
