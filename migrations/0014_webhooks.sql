create domain webhook_id as text collate "C" check (value ~ '^wh_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create type delivery_queue as enum ('first', 'again');
create type delivery_status as enum ('pending', 'delivered', 'failed', 'held');
create type webhook_end as enum ('gone', 'failing');

create table webhooks (
  id webhook_id primary key,
  account_id account_id not null,
  slot smallint not null check (slot between 1 and 5),   -- what holds an account to five, whoever inserts at the same time
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  created_at timestamptz not null,
  deleted_at timestamptz,                 -- the row goes when its deliveries are swept
  changes integer not null default 0,     -- counts what a delivery in progress must hear of: new secrets, deletion
  disabled_at timestamptz,
  disabled_because webhook_end,
  failing_since timestamptz,              -- the first failure after the last success
  timeouts integer not null default 0,    -- in a row: a circuit opens
  constraint disabled_for_a_reason check ((disabled_at is null) = (disabled_because is null))
);
create unique index five_webhooks_an_account on webhooks (account_id, slot) where deleted_at is null;
create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;

-- As they must be used again they are encrypted and not hashed. The newest one is shown once and signs together with
-- those that it replaced until these retire.
create table webhook_secrets (
  webhook_id webhook_id not null references webhooks on delete cascade,
  number integer not null,
  sealed bytea not null,
  key_id text not null,                   -- which key of the configuration opens it
  created_at timestamptz not null,
  retires_at timestamptz,
  primary key (webhook_id, number)
);
create index webhook_secrets_by_key on webhook_secrets (key_id, webhook_id, number);
create index webhook_secrets_retiring on webhook_secrets (retires_at) where retires_at is not null;

-- One row for every event and endpoint, written in the transaction of the event. It has no foreign key to either: to
-- check them would cost each delivery two look-ups, and a deleted endpoint is swept later.
create table deliveries (
  webhook_id webhook_id not null,
  event_id event_id not null,
  type text not null,
  status delivery_status not null,
  queue delivery_queue not null,
  tries smallint not null default 0,      -- since the event, or since it was last replayed
  due_at timestamptz,                     -- when the next attempt is due
  attempts jsonb not null default '[]',   -- the latest: when, which status or fault, how long
  created_at timestamptz not null,        -- the time of the event
  primary key (webhook_id, event_id),
  constraint pending_is_due check ((status = 'pending') = (due_at is not null))
) with (autovacuum_vacuum_scale_factor = 0.02);
create index deliveries_due on deliveries (webhook_id, queue, due_at) where status = 'pending';
create index deliveries_by_age on deliveries (created_at);

-- What waits for one endpoint, first attempts and all others apart. A worker takes a lane as a whole, so that an endpoint
-- is bounded across all workers, and one that is slow or paused costs the search for work nothing however much waits.
create table delivery_lanes (
  webhook_id webhook_id not null references webhooks on delete cascade,
  queue delivery_queue not null,
  due_at timestamptz,                     -- when the next delivery is due, as far as nobody works on it
  paused_until timestamptz,               -- the circuit is open
  ready_at timestamptz generated always as (case when due_at is not null then greatest(due_at, paused_until) end) stored,
  holder uuid,                            -- the worker that has taken it
  changes_seen integer not null default 0,
  freed_at timestamptz,                   -- when it was taken from a holder who may have lived; the machine's time
  primary key (webhook_id, queue)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
create index delivery_lanes_ready on delivery_lanes (queue, ready_at) where holder is null and ready_at is not null;
create index delivery_lanes_held on delivery_lanes (holder) where holder is not null;

-- Workers that are alive. The lanes of one that is not are taken from it. The time is the machine's, not the business's.
create table delivery_workers (
  id uuid primary key,
  alive_until timestamptz not null
) with (fillfactor = 50);

-- An event cannot be recorded without its deliveries, whoever records it.
create function deliver_event() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with listening as (
    insert into deliveries (webhook_id, event_id, type, status, queue, due_at, created_at)
    select id, new.id, new.type, case when disabled_at is null then 'pending' else 'held' end::delivery_status, 'first',
      case when disabled_at is null then new.at end, new.at
    from webhooks where account_id = new.account_id and deleted_at is null and new.type = any (events)
    returning webhook_id, due_at
  ), locked as (   -- in the order of endpoints, as by all who lock several
    select webhook_id from delivery_lanes
    where queue = 'first' and webhook_id in (select webhook_id from listening where due_at is not null)
    order by webhook_id for no key update
  )
  update delivery_lanes lane set due_at = least(lane.due_at, new.at)
  from locked where lane.webhook_id = locked.webhook_id and lane.queue = 'first';
  return null;
end $$;
create trigger deliver_event after insert on events for each row execute function deliver_event();

-- The API asks for a delivery, and asks for it again. What came of it is the worker's to write. Not by row-level security:
-- under it PostgreSQL would compare a queue, an enum, only after the policy, and sort all that waits to find what is due.
create function refuse_delivery() returns trigger language plpgsql as $$
begin
  raise exception 'the role % may not make a delivery %', current_user, new.status using errcode = 'insufficient_privilege';
end $$;
create trigger keep_delivery_rights before insert or update on deliveries
  for each row when (current_user = 'broadside_api' and new.status <> 'pending') execute function refuse_delivery();

grant select on webhooks, deliveries, delivery_lanes to broadside_api, broadside_worker, broadside_operator, broadside_reader;
grant insert (id, account_id, slot, url, events, created_at) on webhooks to broadside_api;
grant update (deleted_at, changes) on webhooks to broadside_api;
-- It makes secrets and never reads one.
grant select (webhook_id, number, retires_at), delete, insert, update (retires_at) on webhook_secrets to broadside_api;
grant insert (webhook_id, queue), update (due_at) on delivery_lanes to broadside_api;
grant insert (webhook_id, event_id, type, status, queue, due_at, created_at) on deliveries to broadside_api;
grant update (status, queue, tries, due_at) on deliveries to broadside_api;

grant update (disabled_at, disabled_because, failing_since, timeouts), delete on webhooks to broadside_worker;
grant select, delete on webhook_secrets to broadside_worker;
grant update (due_at, paused_until, holder, changes_seen, freed_at) on delivery_lanes to broadside_worker;
grant update (status, queue, tries, due_at, attempts), delete on deliveries to broadside_worker;
grant select, insert, update, delete on delivery_workers to broadside_worker;

-- `secrets rotate`.
grant select, update (sealed, key_id) on webhook_secrets to broadside_operator;
