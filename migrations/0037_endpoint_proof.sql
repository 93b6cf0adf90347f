-- An endpoint is proven when it has answered a test with 2xx. An endpoint that has received deliveries before counts too.
alter table webhooks add column proven_at timestamptz;
update webhooks set proven_at = first_success.at
from (select webhook_id, min(created_at) as at from deliveries where status = 'delivered' group by webhook_id) first_success
where first_success.webhook_id = webhooks.id;
grant update (proven_at) on webhooks to broadside_worker;

-- Takes up to `wanted` uses of a daily allowance, and returns how many were left to take.
create function take_uses(of_allowance text, of_subject text, on_day date, wanted integer, max_uses integer) returns integer
  language plpgsql set search_path = public, pg_temp
as $$
declare
  taken integer;
begin
  insert into allowance_uses (allowance, subject, day, used) values (of_allowance, of_subject, on_day, 0)
  on conflict do nothing;
  with locked as (
    select day, allowance, subject, used from allowance_uses
    where day = on_day and allowance = of_allowance and subject = of_subject for no key update
  )
  update allowance_uses uses set used = locked.used + least(wanted, greatest(0, max_uses - locked.used))
  from locked
  where uses.day = locked.day and uses.allowance = locked.allowance and uses.subject = locked.subject
  returning uses.used - locked.used into taken;
  return taken;
end
$$;
revoke execute on function take_uses(text, text, date, integer, integer) from public;
grant execute on function take_uses(text, text, date, integer, integer) to broadside_api;

-- All unproven endpoints of an account together get 20 deliveries a day, so that deleting an endpoint and registering it
-- again brings no new ones. Five of these are left for tests. An event beyond the limit is held, as for a disabled endpoint.
create or replace function deliver_event() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  with endpoints as materialized (
    select id, case
        when disabled_at is not null then false
        when proven_at is not null then true
        else take_uses(
          'deliveries-to-unproven-endpoints', new.account_id, (new.at at time zone 'UTC')::date, 1, 20 - 5
        ) = 1
      end as sends
    from webhooks where account_id = new.account_id and deleted_at is null and new.type = any (events)
  ), listening as (
    insert into deliveries (webhook_id, event_id, type, status, queue, due_at, created_at)
    select id, new.id, new.type, case when sends then 'pending' else 'held' end::delivery_status, 'first',
      case when sends then new.at end, new.at
    from endpoints
    returning webhook_id, due_at
  ), locked as (   -- in the order of endpoints, as by all who lock several
    select webhook_id from delivery_lanes
    where queue = 'first' and webhook_id in (select webhook_id from listening where due_at is not null)
    order by webhook_id for no key update
  )
  update delivery_lanes lane set due_at = least(lane.due_at, new.at)
  from locked where lane.webhook_id = locked.webhook_id and lane.queue = 'first';
  return null;
end
$$;
