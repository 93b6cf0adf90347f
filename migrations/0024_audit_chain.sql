-- Each row of the audit log is bound to all before it, so that none can be changed, taken out or put in unseen.
-- See decisions/0042. The bytes that are hashed are made once more in src/platform/audit-chain.ts, which verifies.
create table audit_chain (
  position bigint primary key check (position > 0),
  audit_id bigint not null unique,
  hash bytea not null check (octet_length(hash) = 32)
);
comment on table audit_chain is 'In order of commit: sha256 of the hash before and the bytes of the row. Written by a trigger alone.';

create table audit_head (
  is_only boolean primary key default true check (is_only),
  position bigint not null check (position >= 0),
  hash bytea not null check (octet_length(hash) = 32)
) with (fillfactor = 50);
comment on table audit_head is 'The last entry of audit_chain. Whoever adds one holds this row, so that they stand in a line.';
insert into audit_head (position, hash) values (0, decode(repeat('00', 32), 'hex'));

-- The length stands before the text, so that nothing can move from one field to the next.
create function audit_field(value text) returns text language sql immutable as $$
  select coalesce(octet_length(value) || ':' || value, '-')
$$;

-- In plpgsql, whose plans a session keeps: as plain SQL it would be planned anew for every row.
create function audit_row_bytes(entry audit_log) returns bytea language plpgsql as $$
begin
  return convert_to(
    audit_field(entry.id::text)
      || audit_field((extract(epoch from entry.at) * 1000000)::bigint::text)
      || audit_field(entry.actor)
      || audit_field(entry.action)
      || audit_field(entry.account_id::text)
      || audit_field(entry.details::text),
    'UTF8');
end $$;

create function chain_audit_row() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with head as (
    update audit_head set position = position + 1, hash = sha256(hash || audit_row_bytes(new)) returning position, hash
  )
  insert into audit_chain (position, audit_id, hash) select position, new.id, hash from head;
  if not found then raise exception 'audit_head has no row: see docs/runbooks/audit.md'; end if;
  return null;
end $$;
revoke execute on function audit_field, audit_row_bytes, chain_audit_row from public;

-- At the commit: the head is the last lock that a transaction takes, and is held for no longer than the commit itself.
create constraint trigger chain_audit_row after insert on audit_log
  deferrable initially deferred for each row execute function chain_audit_row();

-- The rows that are there. Nobody adds one meanwhile: to make the trigger has locked the table.
do $$
declare
  entry audit_log;
  head audit_head;
begin
  select * into head from audit_head;
  for entry in select * from audit_log order by id loop
    head.position := head.position + 1;
    head.hash := sha256(head.hash || audit_row_bytes(entry));
    insert into audit_chain (position, audit_id, hash) values (head.position, entry.id, head.hash);
  end loop;
  update audit_head set position = head.position, hash = head.hash;
end $$;

-- Nobody chooses the number of a row: it would stand among older ones, or in the place of the next.
revoke insert on audit_log from broadside_api, broadside_worker, broadside_owner_page, broadside_operator;
grant insert (at, actor, action, account_id, details) on audit_log
  to broadside_api, broadside_worker, broadside_owner_page, broadside_operator;

grant select on audit_chain, audit_head to broadside_operator, broadside_reader;
-- The head is published with the numbers of the sites.
grant select on audit_head to broadside_worker;
