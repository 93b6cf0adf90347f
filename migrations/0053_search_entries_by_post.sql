-- works with: 0040
-- transaction: none
-- The key of search entries once they are divided by time: the next migration takes this index over.
create unique index concurrently search_entries_by_post on search_entries (post_id, published_at);
