-- The books. A customer has two (what was prepaid, what is owed); the others belong to the house.
create type ledger_book as enum (
  'prepaid', 'owed', 'revenue', 'penalties', 'refunds', 'provider_clearing', 'operator_credit'
);
create type ledger_reason as enum (
  'post', 'edit', 'search',       -- charges
  'refund', 'penalty', 'settlement', 'top_up',
  'credit', 'debit'               -- an operator's
);

create table balances (
  account_id account_id primary key references accounts,
  prepaid_micros micros not null default 0 constraint prepaid_never_negative check (prepaid_micros >= 0),
  owed_micros micros not null default 0 constraint owed_never_negative check (owed_micros >= 0)
) with (fillfactor = 50);         -- room for in-page updates: this row changes with every charge
comment on table balances is 'The sum of each account''s transfers, kept by a trigger. Nobody has the right to update it.';

create table ledger_transfers (
  id transfer_id primary key,
  account_id account_id,            -- no foreign key: its check would lock the balance row a second time; see keep_balance
  from_book ledger_book not null,
  to_book ledger_book not null,
  amount_micros micros not null check (amount_micros > 0),
  reason ledger_reason not null,
  subject text collate "C" not null check (length(subject) between 1 and 80),
  part smallint not null default 0 check (part >= 0),
  entered_at timestamptz not null,
  check ((from_book in ('prepaid', 'owed') or to_book in ('prepaid', 'owed')) = (account_id is not null)),
  -- The only ways money moves. Whoever may book a charge cannot turn it round and mint.
  constraint transfer_goes_its_way check ((reason, from_book, to_book) in (
    ('post', 'prepaid', 'revenue'),
    ('edit', 'prepaid', 'revenue'),
    ('search', 'prepaid', 'revenue'),
    ('refund', 'refunds', 'prepaid'),
    ('penalty', 'prepaid', 'penalties'),
    ('penalty', 'owed', 'penalties'),
    ('settlement', 'prepaid', 'owed'),
    ('top_up', 'provider_clearing', 'prepaid'),
    ('credit', 'operator_credit', 'prepaid'),
    ('debit', 'prepaid', 'operator_credit')
  )),
  constraint transfer_once unique (subject, reason, part)
);
create index ledger_transfers_by_account on ledger_transfers (account_id, id);
comment on table ledger_transfers is 'Append-only. One row is one transfer with both its sides, so the books always sum to zero.';
comment on constraint transfer_once on ledger_transfers is 'What a transfer is for happens once: a retry finds it done.';

-- Keeps the balance in the statement that books the transfer. `strict` refuses an account that has no balance row, as a
-- foreign key would. A paid operation is refused while a debt stands, and a refund beyond what was charged for it.
create function keep_balance() returns trigger
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
  return null;
end $$;
create trigger keep_balance after insert on ledger_transfers
  for each row when (new.account_id is not null) execute function keep_balance();

-- Holds one account's balance until the transaction ends, without the right to change it.
create function lock_balance(id account_id) returns balances
language sql security definer set search_path = public, pg_temp as $$
  select * from balances where account_id = id for no key update
$$;

-- One line per side, for reading: what went into and out of each book.
create view ledger_entries with (security_invoker = true) as
  select id as transfer_id, account_id, to_book as book, amount_micros, reason, subject, entered_at
  from ledger_transfers
  union all
  select id, account_id, from_book, -amount_micros, reason, subject, entered_at
  from ledger_transfers;

-- Which money each role may move. Nobody may update or delete.
alter table ledger_transfers enable row level security;
create policy everyone_reads on ledger_transfers for select using (true);
create policy api_books on ledger_transfers for insert to broadside_api
  with check (reason in ('post', 'edit', 'search'));
create policy worker_books on ledger_transfers for insert to broadside_worker
  with check (reason in ('refund', 'penalty', 'settlement', 'top_up'));
create policy operator_books on ledger_transfers for insert to broadside_operator
  with check (reason in ('credit', 'debit', 'settlement', 'refund', 'penalty'));

revoke execute on function lock_balance, keep_balance from public;
grant execute on function lock_balance to broadside_api, broadside_worker, broadside_operator;
grant select on balances, ledger_transfers, ledger_entries
  to broadside_api, broadside_worker, broadside_operator, broadside_reader;
grant insert (account_id) on balances to broadside_api;
grant insert on ledger_transfers to broadside_api, broadside_worker, broadside_operator;
