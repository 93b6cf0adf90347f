-- Free daily uses are counted per key. A new key takes over what revoked keys of its account have used on that day, so
-- that replacing a key brings no new uses. Each count is taken over once: the next key starts where this one stopped.
create function inherit_uses() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  with revoked as (
    select uses.allowance, uses.subject, uses.day, uses.used
    from api_keys join allowance_uses uses on uses.subject = api_keys.id
    where api_keys.account_id = new.account_id and api_keys.revoked_at is not null
      and uses.day = (new.created_at at time zone 'UTC')::date and uses.used > 0
    for update of uses
  ), taken as (
    update allowance_uses uses set used = 0 from revoked
    where uses.allowance = revoked.allowance and uses.subject = revoked.subject and uses.day = revoked.day
  )
  insert into allowance_uses (allowance, subject, day, used)
  select allowance, new.id, day, sum(used) from revoked group by allowance, day;
  return null;
end
$$;
revoke execute on function inherit_uses() from public;

create trigger inherit_uses after insert on api_keys for each row execute function inherit_uses();
