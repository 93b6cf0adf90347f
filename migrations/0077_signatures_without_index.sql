-- works with: 0076
-- transaction: none
-- Nobody looks for the signatures of a key.
drop index concurrently if exists post_proofs_by_key;
