-- works with: 0076
-- An account can be banned for its own strikes and with another account of its mailbox. It is good again when neither reason is
-- left.
create or replace function add_strike(account account_id, to_ban integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  update accounts set
    strikes = strikes + 1,
    banned_for_strikes = banned_for_strikes
      or (strikes + 1 >= to_ban and (standing = 'good' or standing = 'banned' and banned_with is not null)),
    standing = case when strikes + 1 >= to_ban and standing = 'good' then 'banned' else standing end
  where id = account
$$;

create or replace function take_strike_back(account account_id, to_ban integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if session_user = 'broadside_worker' and not exists (
    select from desk_decisions desk where desk.account_id = account and desk.applied_at is null
      and desk.verdict in ('uphold', 'overturn')
  ) then
    raise exception 'nobody has decided that' using errcode = 'insufficient_privilege';
  end if;
  update accounts set
    strikes = strikes - 1,
    standing = case
      when banned_for_strikes and strikes - 1 < to_ban and standing = 'banned' and banned_with is null then 'good'
      else standing
    end,
    banned_for_strikes = banned_for_strikes and strikes - 1 >= to_ban
  where id = account and strikes > 0;
end $$;

create or replace function end_followed_bans() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update accounts set standing = case when banned_for_strikes then standing else 'good' end, banned_with = null
    where banned_with = new.id and standing = 'banned';
  update accounts set banned_with = null where id = new.id and banned_with is not null;
  return null;
end $$;
