create type key_scope as enum ('full', 'read');

alter table api_keys
  add column scope key_scope not null default 'full',
  add column daily_cap_micros micros check (daily_cap_micros >= 0),   -- what it may spend in a UTC day; null: no cap
  add column slot smallint not null default 1 check (slot between 1 and 20);
update api_keys set slot = numbered.slot
from (
  select id, row_number() over (partition by account_id order by created_at) as slot from api_keys where revoked_at is null
) as numbered where numbered.id = api_keys.id;
-- What holds an account to twenty keys, whoever inserts at the same time.
create unique index twenty_keys_an_account on api_keys (account_id, slot) where revoked_at is null;

-- Which key spent it. No foreign key: a deleted account's entries stay, and its keys do not.
alter table ledger_transfers add column key_id key_id;
create index ledger_transfers_by_key on ledger_transfers (key_id, entered_at) where key_id is not null;

alter table ledger_transfers drop constraint transfer_goes_its_way;
alter table ledger_transfers add constraint transfer_goes_its_way check ((reason, from_book, to_book) in (
  ('post', 'prepaid', 'revenue'),
  ('edit', 'prepaid', 'revenue'),
  ('search', 'prepaid', 'revenue'),
  ('refund', 'refunds', 'prepaid'),
  ('penalty', 'prepaid', 'penalties'),
  ('penalty', 'owed', 'penalties'),
  ('penalty_return', 'penalties', 'owed'),
  ('penalty_return', 'penalties', 'prepaid'),
  ('settlement', 'prepaid', 'owed'),
  ('top_up', 'provider_clearing', 'prepaid'),
  ('payout', 'prepaid', 'provider_clearing'),
  ('payout', 'owed', 'provider_clearing'),
  ('payout_return', 'provider_clearing', 'owed'),
  ('payout_return', 'provider_clearing', 'prepaid'),
  ('dispute', 'prepaid', 'disputed'),
  ('dispute', 'owed', 'disputed'),
  ('dispute_return', 'disputed', 'owed'),
  ('dispute_return', 'disputed', 'prepaid'),
  ('dispute_loss', 'disputed', 'provider_clearing'),
  ('dispute_loss', 'provider_clearing', 'disputed'),   -- won on appeal
  ('credit', 'operator_credit', 'prepaid'),
  ('debit', 'prepaid', 'operator_credit')
));

-- As before; and a key keeps within its cap, and no more comes back of a payout or a dispute than went.
create or replace function keep_balance() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  debt bigint;
  cap bigint;
  went ledger_reason[];
  comes ledger_reason[];
begin
  update balances set
    prepaid_micros = prepaid_micros
      + case new.to_book when 'prepaid' then new.amount_micros else 0 end
      - case new.from_book when 'prepaid' then new.amount_micros else 0 end,
    owed_micros = owed_micros
      + case new.from_book when 'owed' then new.amount_micros else 0 end
      - case new.to_book when 'owed' then new.amount_micros else 0 end
  where account_id = new.account_id
  returning owed_micros into strict debt;
  if new.reason in ('post', 'edit', 'search') then
    if debt > 0 then
      raise exception 'the account owes money' using errcode = 'check_violation', constraint = 'debt_comes_first';
    end if;
    if new.key_id is not null then
      -- The balance's row is held from here to the commit, so no other charge of this account is counted or missed.
      select daily_cap_micros into cap from api_keys where id = new.key_id;
      if cap is not null and cap < (
        select sum(amount_micros) from ledger_transfers
        where key_id = new.key_id and entered_at >= date_trunc('day', new.entered_at at time zone 'UTC') at time zone 'UTC'
      ) then
        raise exception 'the key has spent its day''s cap' using errcode = 'check_violation', constraint = 'key_keeps_within_cap';
      end if;
    end if;
    return null;
  end if;
  case new.reason
    when 'refund' then went := array['post', 'edit', 'search']; comes := array['refund'];
    when 'penalty_return' then went := array['penalty']; comes := array['penalty_return'];
    when 'payout_return' then went := array['payout']; comes := array['payout_return'];
    when 'dispute_return' then went := array['dispute']; comes := array['dispute_return'];
    else return null;
  end case;
  if 0 > (
    select sum(case when reason = any (went) then amount_micros else -amount_micros end) from ledger_transfers
    where subject = new.subject and account_id = new.account_id and reason = any (went || comes)
  ) then
    raise exception 'more comes back than went' using errcode = 'check_violation', constraint = case new.reason
      when 'refund' then 'refund_within_charge'
      when 'penalty_return' then 'return_within_penalty'
      when 'payout_return' then 'return_within_payout'
      else 'return_within_dispute' end;
  end if;
  return null;
end $$;

drop policy worker_books on ledger_transfers;
create policy worker_books on ledger_transfers for insert to broadside_worker
  with check (reason in (
    'refund', 'penalty', 'settlement', 'top_up', 'payout', 'payout_return', 'dispute', 'dispute_return', 'dispute_loss'
  ));
drop policy operator_books on ledger_transfers;
create policy operator_books on ledger_transfers for insert to broadside_operator
  with check (reason in ('credit', 'debit', 'settlement', 'refund', 'penalty', 'penalty_return', 'top_up', 'payout_return'));
-- The owner asks for unused balance back, and from that moment it cannot be spent.
create policy owner_page_books on ledger_transfers for insert to broadside_owner_page with check (reason = 'payout');
grant insert on ledger_transfers to broadside_owner_page;
grant select on balances, ledger_transfers, ledger_entries to broadside_owner_page;
grant execute on function lock_balance to broadside_owner_page;

grant insert (scope, daily_cap_micros, slot) on api_keys to broadside_api;
grant update (revoked_at) on api_keys to broadside_api;   -- what a key may do is changed on the owner's page alone
grant select on api_keys to broadside_owner_page;
grant insert (id, account_id, name, hash, last4, created_at, scope, daily_cap_micros, slot) on api_keys to broadside_owner_page;
grant update (name, scope, daily_cap_micros, revoked_at) on api_keys to broadside_owner_page;
