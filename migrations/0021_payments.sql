create domain payment_id as text collate "C" check (value ~ '^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create domain refund_id as text collate "C" check (value ~ '^rfd_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create type payment_cause as enum ('top_up', 'recharge');
create type payment_status as enum ('started', 'paid', 'failed', 'cancelled');
create type payment_refund_status as enum ('asked', 'sent', 'succeeded', 'failed');
create type dispute_status as enum ('open', 'won', 'lost');

-- Who the account is at the provider, and the card that was left there. No number of a card is ever here.
create table payment_customers (
  account_id account_id primary key,
  customer text collate "C" not null unique,
  card text collate "C",                   -- the provider's name of the card; null when there is none
  card_brand text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  card_expires text check (card_expires ~ '^[0-9]{4}-[0-9]{2}$'),
  created_at timestamptz not null
);

-- One row for every attempt to bring money in. What the provider says of it is read from the provider.
create table payments (
  id payment_id primary key,
  account_id account_id not null,
  cause payment_cause not null,
  provider text not null check (provider in ('stripe', 'manual')),
  amount_micros micros not null check (amount_micros > 0),
  status payment_status not null default 'started',
  reference text collate "C" unique,       -- the provider's name of the page where it is paid
  intent text collate "C" unique,          -- and of the payment itself, once there is one
  failure text,                            -- one of a few words: 'card_declined'
  created_at timestamptz not null,
  settled_at timestamptz,                  -- when it was paid, failed or was given up
  constraint settled_with_an_end check ((status = 'started') = (settled_at is null))
);
create index payments_by_account on payments (account_id, id);
create index payments_open on payments (created_at) where status = 'started';
create unique index one_recharge_at_a_time on payments (account_id) where cause = 'recharge' and status = 'started';

create table payment_refunds (
  id refund_id primary key,
  payment_id payment_id not null references payments,
  amount_micros micros not null check (amount_micros > 0),
  status payment_refund_status not null default 'asked',
  reference text collate "C" unique,       -- the provider's name of it
  created_at timestamptz not null,
  settled_at timestamptz
);
create index payment_refunds_by_payment on payment_refunds (payment_id);

create table payment_disputes (
  reference text collate "C" primary key,
  payment_id payment_id not null references payments,
  amount_micros micros not null check (amount_micros > 0),
  status dispute_status not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create index payment_disputes_by_payment on payment_disputes (payment_id);

-- What the provider has told us, so that the same word twice is heard once. Swept after some weeks.
create table provider_events (
  id text collate "C" primary key check (length(id) between 1 and 255),
  type text not null,
  received_at timestamptz not null
);
create index provider_events_by_age on provider_events (received_at);

alter table accounts
  add column auto_recharge_daily_cap_micros micros not null default 50000000 check (auto_recharge_daily_cap_micros > 0),
  add column auto_recharge_changed_at timestamptz,   -- by the owner, last
  add column recharge_failures smallint not null default 0 check (recharge_failures >= 0),   -- in a row; three turn it off
  add column recharge_failed_at timestamptz;
create index accounts_recharging on accounts (id) where auto_recharge_enabled;

grant select on payment_customers, payments, payment_refunds, payment_disputes
  to broadside_owner_page, broadside_worker, broadside_operator, broadside_reader;
grant insert on payment_customers to broadside_owner_page;
grant update (card, card_brand, card_last4, card_expires) on payment_customers to broadside_owner_page, broadside_worker;
grant delete on payment_customers to broadside_worker;
grant insert on payments, payment_refunds to broadside_owner_page, broadside_worker;
grant update (status, reference, settled_at) on payments to broadside_owner_page;
grant update (status, reference, intent, failure, settled_at) on payments to broadside_worker;
grant update (status, settled_at) on payments to broadside_operator;   -- one that came by hand
grant update (status, reference, settled_at) on payment_refunds to broadside_worker, broadside_operator;
grant insert, update (status, closed_at) on payment_disputes to broadside_worker;
grant select, insert on provider_events to broadside_owner_page;
grant select, delete, update (received_at) on provider_events to broadside_worker;
grant update (auto_recharge_daily_cap_micros, auto_recharge_changed_at, recharge_failures, recharge_failed_at)
  on accounts to broadside_owner_page;
grant update (auto_recharge_enabled, card_on_file, recharge_failures, recharge_failed_at) on accounts to broadside_worker;
-- The API only looks whether a recharge is due, and asks for one by a job.
grant select on payments to broadside_api;
