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
  ('credit', 'operator_credit', 'prepaid'),
  ('debit', 'prepaid', 'operator_credit')
));

-- As before, and no more of a penalty comes back than was taken.
create or replace function keep_balance() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  debt bigint;
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
  if debt > 0 and new.reason in ('post', 'edit', 'search') then
    raise exception 'the account owes money' using errcode = 'check_violation', constraint = 'debt_comes_first';
  end if;
  if new.reason = 'refund' and 0 > (
    select sum(case reason when 'refund' then -amount_micros else amount_micros end) from ledger_transfers
    where subject = new.subject and account_id = new.account_id and reason in ('post', 'edit', 'search', 'refund')
  ) then
    raise exception 'more than was charged' using errcode = 'check_violation', constraint = 'refund_within_charge';
  end if;
  if new.reason = 'penalty_return' and 0 > (
    select sum(case reason when 'penalty' then amount_micros else -amount_micros end) from ledger_transfers
    where subject = new.subject and account_id = new.account_id and reason in ('penalty', 'penalty_return')
  ) then
    raise exception 'more than was taken' using errcode = 'check_violation', constraint = 'return_within_penalty';
  end if;
  return null;
end $$;

drop policy operator_books on ledger_transfers;
create policy operator_books on ledger_transfers for insert to broadside_operator
  with check (reason in ('credit', 'debit', 'settlement', 'refund', 'penalty', 'penalty_return'));
