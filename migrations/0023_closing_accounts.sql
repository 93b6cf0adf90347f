-- The end of an account. What is erased at once, and what a job erases afterwards, is listed here and nowhere else;
-- docs/erasure.md says it in words, and test/account-erasure.test.ts looks for what was missed in a dump of everything.

alter table accounts add column cleared_at timestamptz;   -- when nothing was left that a job erases, after it was closed
create index accounts_to_clear on accounts (id) where standing = 'closed' and cleared_at is null;
grant update (cleared_at) on accounts to broadside_worker;

create index posts_by_account on posts (account_id, id);
create index appeals_by_account on appeals (account_id) where message is not null;
create index reports_by_account on reports (account_id) where account_id is not null;
create index reports_by_contact on reports (lower(contact_email)) where contact_email is not null;

comment on column allowance_uses.subject is 'An account, a key, or the keyed hash that the API makes of an address, of a network or a mailbox.';

-- Closes an account for good, and says whether this call did. From the commit on, nothing here says whose it was.
-- The order of locks, for all who take several: a payment, the balance, the account, then other rows that are its own.
create function close_account(account account_id, at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  its_email text;
begin
  -- A charge that is on its way is waited for, and the next one refused.
  perform from balances where account_id = account for no key update;
  select email into its_email from accounts where id = account and standing <> 'closed' for no key update;
  if not found then return false; end if;
  update accounts set
    standing = 'closed', name = 'Deleted account', email = '', email_verified_at = null, deletion_requested_at = null,
    card_on_file = false, auto_recharge_enabled = false, recharge_failures = 0, recharge_failed_at = null
  where id = account;

  delete from allowance_uses
    where subject = account or subject in (select id from api_keys where account_id = account);
  delete from api_keys where account_id = account;
  delete from owner_links where account_id = account;
  delete from owner_visits where account_id = account;
  delete from owner_codes where account_id = account;
  delete from owner_sessions where account_id = account;
  delete from owner_link_mails where lower(email) = lower(its_email);

  -- An address that leads nowhere, for whoever has just taken the endpoint and reads it. The rows are swept as usual.
  update webhooks set url = 'https://deleted.invalid/' where account_id = account and deleted_at is not null;
  update webhooks set url = 'https://deleted.invalid/', deleted_at = at, changes = changes + 1
    where account_id = account and deleted_at is null;
  delete from webhook_secrets where webhook_id in (select id from webhooks where account_id = account);
  with locked as (   -- in the order of endpoints, as by all who lock several
    select webhook_id, queue from delivery_lanes
    where webhook_id in (select id from webhooks where account_id = account)
    order by webhook_id, queue for no key update
  )
  update delivery_lanes lane set due_at = null
    from locked where lane.webhook_id = locked.webhook_id and lane.queue = locked.queue;

  update appeals set message = null where account_id = account and message is not null;
  update reports set account_id = null, detail = null, contact_email = null where account_id = account;
  -- Of a report by another account only the address goes; what it says is that account's.
  update reports set contact_email = null, detail = case when account_id is not null then detail end
    where lower(contact_email) = lower(its_email);
  update relayed_messages set message = null where message is not null and account in (from_account, to_account);
  update payment_customers set card = null, card_brand = null, card_last4 = null, card_expires = null
    where account_id = account;
  return true;
end $$;

-- Forgets what there may be much of, up to so many rows of each at a time; gives the number of the largest part.
create function forget_closed_account(account account_id, batch integer) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with closed as (
    select id from accounts where id = account and standing = 'closed'
  ), told as (
    delete from events where id in (
      select events.id from events join closed on closed.id = account_id limit batch
    ) returning 1
  ), answered as (
    delete from idempotent_answers where (account_id, site, path, key) in (
      select account_id, site, path, key from idempotent_answers join closed on closed.id = account_id limit batch
    ) returning 1
  ), delivered as (
    delete from deliveries where (webhook_id, event_id) in (
      select webhook_id, event_id from closed join webhooks on webhooks.account_id = closed.id
      join deliveries on deliveries.webhook_id = webhooks.id limit batch
    ) returning 1
  ), unread as (   -- one that was on its way to the closed account
    update relayed_messages set message = null from closed where message is not null and closed.id in (from_account, to_account)
  )
  select greatest((select count(*) from told), (select count(*) from answered), (select count(*) from delivered))
$$;

revoke execute on function close_account, forget_closed_account from public;
grant execute on function close_account to broadside_owner_page;
grant execute on function forget_closed_account to broadside_worker;

-- Whoever was let in a moment before leaves nothing behind: what adds a row waits for the closing, or the closing for it.
create function refuse_closed_account() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  its_standing account_standing;
begin
  select standing into its_standing from accounts where id = new.account_id for share;
  if its_standing = 'closed' then
    raise exception 'the account is closed' using errcode = 'check_violation', constraint = 'account_is_open';
  end if;
  return new;
end $$;
create trigger refuse_closed_account before insert on api_keys for each row execute function refuse_closed_account();
create trigger refuse_closed_account before insert on owner_codes for each row execute function refuse_closed_account();
create trigger refuse_closed_account before insert on webhooks for each row execute function refuse_closed_account();
create trigger refuse_closed_account before insert on appeals for each row execute function refuse_closed_account();
create trigger refuse_closed_account before insert on reports
  for each row when (new.account_id is not null) execute function refuse_closed_account();

-- The provider may have made a customer meanwhile. That is kept, so that it can be forgotten there too.
create function clear_again() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from accounts where id = new.account_id for share;
  update accounts set cleared_at = null where id = new.account_id and cleared_at is not null;
  return null;
end $$;
create trigger clear_again after insert on payment_customers for each row execute function clear_again();

-- What is paid is refused like a row. The name of this trigger comes after keep_balance, and so does it: the
-- balance's row is held by then, so that the closing is over or has not begun, and nothing else must be locked for each post.
create function refuse_closed_charge() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from accounts where id = new.account_id and standing = 'closed') then
    raise exception 'the account is closed' using errcode = 'check_violation', constraint = 'account_is_open';
  end if;
  return null;
end $$;
create trigger refuse_closed_charge after insert on ledger_transfers
  for each row when (new.reason in ('post', 'edit', 'search')) execute function refuse_closed_charge();

-- As before; but of a closed account's posts the worker deletes what was not public, and nobody judges them any more.
create or replace function keep_post_rights() returns trigger language plpgsql as $$
declare
  is_api boolean := current_user = 'broadside_api';
  may boolean := is_api = (new.status = 'deleted');
begin
  if old.status <> new.status and exists (select from accounts where id = new.account_id and standing = 'closed') then
    may := case new.status when 'deleted' then is_api or current_user = 'broadside_worker' when 'removed' then not is_api else false end;
  end if;
  if not may and current_user <> 'broadside_migrator' then
    raise exception 'the role % may not make a post %', current_user, new.status using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create function keep_edit_rights() returns trigger language plpgsql as $$
begin
  if exists (
    select from posts join accounts on accounts.id = posts.account_id
    where posts.id = new.post_id and accounts.standing = 'closed'
  ) then
    raise exception 'the account is closed' using errcode = 'check_violation', constraint = 'account_is_open';
  end if;
  return new;
end $$;
create trigger keep_edit_rights before update of status on post_edits
  for each row when (old.status <> new.status and new.status <> 'cancelled') execute function keep_edit_rights();
