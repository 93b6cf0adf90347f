-- works with: 0040

-- What must not come back when a backup is restored. Triggers note it in the transaction that does it, whoever does it. A
-- worker moves the rows into the erasure log, which is kept outside the database. See decisions/0069.
create table erasures (
  id bigint generated always as identity primary key,
  kind text not null check (kind in (
    'account.closed', 'post.deleted', 'post.removed', 'post.restored', 'webhook.deleted', 'key.revoked', 'staff.disabled',
    'passkey.revoked')),
  subject text not null,
  category text                                  -- of a removed post: a removal that is repeated needs its reason
);
comment on table erasures is 'Erasures that are not in the erasure log yet: identifiers and codes. A worker deletes a row once it is written there.';

create function note_erasure() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into erasures (kind, subject) values (tg_argv[0], new.id);
  return null;
end $$;

create function note_post_erasure() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into erasures (kind, subject, category) values (
    case new.status when 'published' then 'post.restored' else 'post.' || new.status end,
    new.id,
    case new.status when 'removed' then (
      select category from moderation_decisions where post_id = new.id and edit = 0 and outcome = 'remove'
      order by id desc limit 1
    ) end);
  return null;
end $$;
revoke execute on function note_erasure, note_post_erasure from public;

create trigger note_erasure after update of standing on accounts
  for each row when (old.standing <> 'closed' and new.standing = 'closed') execute function note_erasure('account.closed');
create trigger note_erasure after update of status on posts
  for each row when (old.status <> new.status and (new.status in ('deleted', 'removed') or old.status = 'removed'))
  execute function note_post_erasure();
create trigger note_erasure after update of deleted_at on webhooks
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function note_erasure('webhook.deleted');
create trigger note_erasure after update of revoked_at on api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function note_erasure('key.revoked');
create trigger note_erasure after update of disabled_at on staff
  for each row when (old.disabled_at is null and new.disabled_at is not null) execute function note_erasure('staff.disabled');
create trigger note_erasure after update of revoked_at on passkeys
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function note_erasure('passkey.revoked');

grant select, delete on erasures to broadside_worker;
grant select on erasures to broadside_operator, broadside_reader;
