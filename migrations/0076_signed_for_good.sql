-- works with: 0076
-- A signature covers only what never changes. See decisions/0113.

alter table posts add column revision integer not null default 1 check (revision > 0);
comment on column posts.revision is '1, and one more with each accepted edit. Public, and signed.';
grant update (revision) on posts to broadside_worker, broadside_operator;

-- Nothing is compared or signed again.
drop trigger drop_old_signature on posts;
drop function drop_old_signature;
alter table post_proofs drop column names_author, drop column covers, drop column form;
alter table log_head drop column public_form, drop column signed_through;

create or replace function start_new_log(new_origin text, new_key text, empty_root bytea, close_reason text, published_note text, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  lock table log_queue in exclusive mode;
  insert into closed_logs (number, origin, verifier_key, reason, last_checkpoint, closed_at)
    select number, origin, verifier_key, close_reason, coalesce(published_note,
      (select note from log_checkpoints where log = number and published order by size desc limit 1)), at
    from log_head;
  if exists (select from closed_logs where origin = new_origin) then
    raise exception 'the origin % names a closed log', new_origin;
  end if;
  delete from log_queue;
  update log_head set
    number = number + 1, origin = new_origin, verifier_key = new_key,
    first_queue_id = nextval(pg_get_serial_sequence('log_queue', 'id')),
    size = 0, root = empty_root, edge = '{}', published_size = 0, proofs_through = 0,
    audit_position = 0, audit_noted_at = null,
    stopped_reason = null, stopped_at = null, files_lost = false;
end $$;

-- The operator's command queues all posts for a new log. It makes the salts, and reads none.
grant select (key_id, signed_at, signature, queue_id), update (salt, queue_id, entry_index) on post_proofs to broadside_operator;
