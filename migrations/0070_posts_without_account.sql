-- works with: 0040
-- A post for a banned account has no account, and its column refuses it. The trigger, which runs before, would say that
-- the draft is missing.
create or replace function keep_worker_to_drafts() returns trigger language plpgsql as $$
begin
  if new.account_id is not null and not exists (
    select from drafts
    where post_id = new.id and account_id = new.account_id and kind = new.kind and state = 'submitted'
  ) then
    raise exception 'the worker submits no post without its draft' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
