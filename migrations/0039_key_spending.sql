-- What each key spent on each UTC day. keep_balance adds to it in the transaction of the charge, so a charge with a
-- capped key reads one row instead of all transfers of the day. Refunds do not reduce it.
create table key_spending (
  day date not null,
  key_id key_id not null,                     -- no foreign key: a deleted account's keys are gone at once
  spent_micros micros not null check (spent_micros > 0),
  primary key (day, key_id)
);
comment on table key_spending is 'Kept by the trigger keep_balance, and deleted when the day is over.';

-- No charge is booked from here to the commit, so none is counted twice or missed.
lock table ledger_transfers in share row exclusive mode;

-- The last day of each key. Only today's total is ever read, and for a key that spent nothing today it is zero.
insert into key_spending (day, key_id, spent_micros)
select (last.entered_at at time zone 'UTC')::date, api_keys.id, spent.micros
from api_keys
cross join lateral (
  select entered_at from ledger_transfers where key_id = api_keys.id order by entered_at desc limit 1
) last
cross join lateral (
  select sum(amount_micros)::bigint as micros from ledger_transfers
  where key_id = api_keys.id and entered_at >= date_trunc('day', last.entered_at at time zone 'UTC') at time zone 'UTC'
) spent;

-- As before, but the cap is compared with the key's total.
create or replace function keep_balance() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  debt bigint;
  spent bigint;
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
      -- For keys without a cap too: the owner may set one at any time of the day.
      insert into key_spending as kept (day, key_id, spent_micros)
      values ((new.entered_at at time zone 'UTC')::date, new.key_id, new.amount_micros)
      on conflict (day, key_id) do update set spent_micros = kept.spent_micros + excluded.spent_micros
      returning spent_micros into strict spent;
      if exists (select from api_keys where id = new.key_id and daily_cap_micros < spent) then
        raise exception 'the key has spent its day''s cap' using errcode = 'check_violation', constraint = 'key_keeps_within_cap';
      end if;
    end if;
    return null;
  end if;
  case new.reason
    when 'refund', 'review_return' then
      went := array['post', 'edit', 'search']; comes := array['refund', 'review_return'];
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
      when 'review_return' then 'refund_within_charge'
      when 'penalty_return' then 'return_within_penalty'
      when 'payout_return' then 'return_within_payout'
      else 'return_within_dispute' end;
  end if;
  return null;
end $$;

grant select on key_spending to broadside_api, broadside_owner_page;
grant select, delete on key_spending to broadside_worker;
