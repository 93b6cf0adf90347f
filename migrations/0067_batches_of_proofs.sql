-- works with: 0040

-- Proofs of posts are enqueued in batches. Those of entries below this index are enqueued. It goes back to the last
-- cosigned checkpoint when a witness returns, because their proofs are then written again.
alter table log_head add column proofs_through bigint not null default 0 check (proofs_through >= 0);
-- A new log starts from the beginning.
grant update (proofs_through) on log_head to broadside_operator;
