-- works with: 0040
-- phase: after

-- The operator's commands queue decisions, and close a log with start_new_log, which has the right to empty the queue.
revoke update, delete on log_queue from broadside_operator;
-- They delete the signature of a post that they change, and need no salt of any post.
revoke select on post_proofs from broadside_operator;
grant select (post_id) on post_proofs to broadside_operator;

-- The API notes keys, and gives them no state of their own. The previous release may still do so.
revoke insert on agent_keys from broadside_api;
grant insert (account_id, directory_url, key_id, domain, state, refusal, signature_base, signature, signed_at) on agent_keys
  to broadside_api;
