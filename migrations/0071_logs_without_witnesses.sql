-- works with: 0071
-- phase: after

-- Nobody cosigns the log any more. Each published checkpoint is final, and a process remembers nothing between its rounds.
drop table log_witnesses;
alter table log_checkpoints drop column cosigned;
comment on table log_checkpoints is 'Every checkpoint of the transparency log, signed.';
alter table log_head drop column resumed_at;

-- Lost entries are not read back from the files: the log stops.
alter table log_head
  drop constraint log_head_stopped_reason_check,
  add check (stopped_reason in ('forked', 'database_behind', 'files_differ', 'files_missing', 'unreadable'));

-- A restored database does not know the last checkpoint that was published, so the caller says it.
drop function start_new_log(text, text, bytea, text, timestamptz);
create function start_new_log(new_origin text, new_key text, empty_root bytea, close_reason text, published_note text, at timestamptz) returns void
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
    audit_position = 0, audit_noted_at = null, signed_through = '',
    stopped_reason = null, stopped_at = null, files_lost = false;
end $$;
revoke execute on function start_new_log from public;
grant execute on function start_new_log to broadside_operator;
revoke update (proofs_through) on log_head from broadside_operator;
