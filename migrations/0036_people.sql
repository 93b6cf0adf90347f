-- When the owner said that a key may act for the account. Anyone can open an account with someone else's address and has
-- its first key, so whoever verifies the address decides about every key that is older than that.
alter table api_keys add column confirmed_at timestamptz;
grant update (confirmed_at) on api_keys to broadside_owner_page;
-- Owners who verified before were not asked, and are not asked now.
update api_keys set confirmed_at = accounts.email_verified_at from accounts
  where accounts.id = api_keys.account_id and accounts.email_verified_at is not null;

-- How many posts and edits of an account went to a person in a day.
create index reviews_by_account on reviews (account_id, opened_at);

-- The banned account with the same mailbox whose ban this one follows.
alter table accounts add column banned_with account_id;
create index accounts_banned_with on accounts (banned_with) where banned_with is not null;

-- Called when an account's address is verified: whoever was banned does not come back with the same mailbox.
create function follow_mailbox_ban(account account_id) returns void
language sql security definer set search_path = public, pg_temp as $$
  update accounts set standing = 'banned', banned_with = other.id
  from (
    select banned.id from accounts banned join accounts mine on fold_mailbox(banned.email) = fold_mailbox(mine.email)
    where mine.id = account and banned.id <> mine.id
      and banned.standing = 'banned' and banned.email_verified_at is not null
    order by banned.id limit 1
  ) other
  where accounts.id = account and standing = 'good' and email_verified_at is not null
$$;
revoke execute on function follow_mailbox_ban from public;
grant execute on function follow_mailbox_ban to broadside_owner_page;

-- A ban that is lifted is lifted for those who followed it.
create function end_followed_bans() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update accounts set standing = 'good', banned_with = null where banned_with = new.id and standing = 'banned';
  update accounts set banned_with = null where id = new.id and banned_with is not null;
  return null;
end $$;
revoke execute on function end_followed_bans() from public;
create trigger end_followed_bans after update of standing on accounts
  for each row when (old.standing = 'banned' and new.standing = 'good') execute function end_followed_bans();

-- A debt comes first for every account of its mailbox, as it does for the account itself.
create function refuse_debt_elsewhere() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (
    select from accounts mine
    join accounts other on fold_mailbox(other.email) = fold_mailbox(mine.email) and other.id <> mine.id
      and other.email_verified_at is not null and other.standing <> 'closed'
    join balances on balances.account_id = other.id and balances.owed_micros > 0
    where mine.id = new.account_id and mine.email_verified_at is not null
  ) then
    raise exception 'another account of the mailbox owes money'
      using errcode = 'check_violation', constraint = 'debt_comes_first';
  end if;
  return null;
end $$;
revoke execute on function refuse_debt_elsewhere() from public;
create trigger refuse_debt_elsewhere after insert on ledger_transfers
  for each row when (new.reason in ('post', 'edit', 'search')) execute function refuse_debt_elsewhere();
