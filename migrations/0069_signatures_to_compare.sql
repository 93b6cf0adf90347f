-- works with: 0040
-- transaction: none
-- They find the signatures to compare again: those of another form, and those made when their key had ended.
create index concurrently post_proofs_by_form on post_proofs (form);
create index concurrently post_proofs_by_key on post_proofs (key_id, signed_at);
-- It finds the marks that pages do not show as they are.
create index concurrently agent_keys_outdated on agent_keys (account_id) where is_outdated;
alter table agent_keys validate constraint agent_keys_public_key_check;
