-- works with: 0040
-- transaction: none
-- GET /v1/account/posts with a status or a kind reads one range of this index for each pair of them.
create index concurrently posts_by_account_and_status on posts (account_id, kind, status, id);
